package io.github.amb.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.command.UsageException;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FaultTest {
  @Test
  void faultsAreReadAsTheyAreWritten() {
    assertEquals(
        List.of(
            new Fault(Fault.Kind.KILL, 2, 50, 10),
            new Fault(Fault.Kind.SLOW, 1, 3, 2.5),
            new Fault(Fault.Kind.DROP_FRAME, 1, 1, 10)),
        Fault.parseAll(
            "kill:rank=2,step=50;slow:step=3,rank=1,factor=2.5;drop-frame:rank=1,step=1"));
  }

  @Test
  void everyKindIsInTheHelp() {
    for (Fault.Kind kind : Fault.Kind.values()) {
      assertTrue(Fault.FORMS.contains(kind.text()), kind.text());
    }
  }

  @Test
  void aFullDiskIsTheMasters() {
    assertEquals(
        List.of(
            new Fault(Fault.Kind.DISK_FULL, 0, 5, Double.POSITIVE_INFINITY),
            new Fault(Fault.Kind.DISK_FULL, 0, 7, 3)),
        Fault.parseAll("disk-full:step=5;disk-full:step=7,steps=3"));
  }

  @Test
  void whatIsWrongIsNamed() {
    assertMessage("unknown fault 'kil'", "kil:rank=1,step=1");
    assertMessage("expected kill:rank=R,step=S with R and S", "kill:rank=1");
    assertMessage("expected kill:rank=R,step=S", "kill:rank=0,step=1");
    assertMessage("expected slow:rank=R,step=S[,factor=F]", "slow:rank=1,step=1,factor=0.5");
    assertMessage("expected disk-full:step=S[,steps=N]", "disk-full:rank=1,step=1");
    assertMessage("expected nan", "nan:rank=1,step=1,more=1");
  }

  @Property(tries = 300)
  void anythingElseIsRefused(@ForAll String text) {
    assertThrows(UsageException.class, () -> Fault.parseAll(text + "#"));
  }

  private static void assertMessage(String part, String text) {
    var error = assertThrows(UsageException.class, () -> Fault.parseAll(text));
    assertTrue(error.getMessage().contains(part), error.getMessage());
  }
}
