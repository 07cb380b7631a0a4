package io.github.amb.core.delay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.Seeds;
import io.github.amb.core.delay.GaussianMixture.Component;
import io.github.amb.core.option.UsageException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;

class DelayModelsTest {
  @Test
  void niagaraAndCedarAreTheExperimentsMixtures() {
    assertEquals(
        List.of(
            new Component(0, 0, .4),
            new Component(0, .4, .3),
            new Component(2, .3, .2),
            new Component(5, .3, .1)),
        ((GaussianMixture) DelayModels.named("niagara")).components());
    assertEquals(
        List.of(
            new Component(0, 0, .4),
            new Component(.05, .04, .3),
            new Component(.15, .03, .2),
            new Component(.25, .03, .1)),
        ((GaussianMixture) DelayModels.named("cedar")).components());
  }

  @Test
  void noneNeverDelays() {
    assertSame(DelayModel.NONE, DelayModels.named("none"));
    assertEquals(0, DelayModel.NONE.sample(RandomSource.XO_SHI_RO_256_PP.create(Seeds.of(1))));
  }

  @Test
  void aMixtureCanBeWrittenOut() {
    assertEquals(
        List.of(new Component(1, 0.5, 0.25), new Component(3, 0, 0.75)),
        ((GaussianMixture) DelayModels.named("1,0.5,0.25; 3, 0, 75e-2")).components());
  }

  @Test
  void everythingWrongWithAMixtureIsNamedAtOnce() {
    var error = assertThrows(UsageException.class, () -> DelayModels.named("1,2; -1,0,.5;x,0,.5;"));
    assertEquals(
        """
        delay model '1,2; -1,0,.5;x,0,.5;': component 1: expected mean,std,weight, found '1,2'
        delay model '1,2; -1,0,.5;x,0,.5;': component 2 mean: expected a finite number of at least 0, found -1.0
        delay model '1,2; -1,0,.5;x,0,.5;': component 3: expected mean,std,weight, found 'x,0,.5'
        delay model '1,2; -1,0,.5;x,0,.5;': component 4: expected mean,std,weight, found ''\
        """,
        error.getMessage());
  }

  @Test
  void weightsThatDoNotSumToOneAreRejected() {
    var error = assertThrows(UsageException.class, () -> DelayModels.named("1,0,.5;2,0,.25"));
    assertEquals(
        "delay model '1,0,.5;2,0,.25': weights: expected a sum of 1, found 0.75",
        error.getMessage());
  }

  @Test
  void anUnknownNameIsRejectedWithASuggestion() {
    var error = assertThrows(UsageException.class, () -> DelayModels.named("nigara"));
    assertEquals(
        "unknown delay model 'nigara', did you mean 'niagara'?; or write a mixture as"
            + " mean,std,weight;mean,std,weight;...",
        error.getMessage());
  }

  @Property
  void anyTextIsAModelOrAUsageError(
      @ForAll @CharRange(from = '0', to = '9') @Chars({',', ';', '.', '-', 'e', ' ', 'N', 'a'})
          String text) {
    try {
      GaussianMixture mixture = (GaussianMixture) DelayModels.named(text);
      double delay = mixture.sample(RandomSource.XO_SHI_RO_256_PP.create(Seeds.of(1)));
      assertEquals(Math.max(0, Math.min(mixture.cap, delay)), delay);
    } catch (UsageException e) {
      assertEquals(true, e.getMessage().contains("delay model"));
    }
  }
}
