# Completion of amb for bash; made by: amb completion bash
_amb() {
  local current=${COMP_WORDS[COMP_CWORD]} words= place=1 word
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="bench campaign codecs completion data delays doctor evaluate experiment export generate models plot predict report reproduce rules runs schedules schemes summarize train watch whatif"
  else
    for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}" "$current"; do
      case "$word" in -*) place=options ;; esac
    done
    [ "$place" = options ] || place=$((COMP_CWORD - 1))
    case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}" in
    "export --format") words="npz safetensors dl4j onnx pytorch" ;;
    "plot --ext") words="png svg pdf csv" ;;
    "plot --subset") words="loss_vs_step loss_vs_time accuracy_vs_step accuracy_vs_time cumsum_vs_step step_vs_time learning_rate_vs_step cumsum_vs_time test_loss_vs_step test_loss_vs_time lr_range goodput hist_compute_time hist_batch_size hist_exit hist_send hist_recv hist_queued_count hist_staleness hist_total_samples hist_worker_count hist_wait_time hist_master_round_time comp_straggler_dist comm_straggler_dist accuracy_vs_examples loss_vs_examples test_loss_vs_examples accuracy_vs_bytes loss_vs_bytes test_loss_vs_bytes bytes_vs_step bytes_per_update accuracy_iid accuracy_non_iid data_throughput traffic_load computing_time_ratio" ;;
    "plot --type") words="panel_main panel_hist panel_all loss esync codecs timeline partitions master_bandwidth loss_vs_step loss_vs_time accuracy_vs_step accuracy_vs_time cumsum_vs_step step_vs_time learning_rate_vs_step cumsum_vs_time test_loss_vs_step test_loss_vs_time lr_range goodput hist_compute_time hist_batch_size hist_exit hist_send hist_recv hist_queued_count hist_staleness hist_total_samples hist_worker_count hist_wait_time hist_master_round_time comp_straggler_dist comm_straggler_dist accuracy_vs_examples loss_vs_examples test_loss_vs_examples accuracy_vs_bytes loss_vs_bytes test_loss_vs_bytes bytes_vs_step bytes_per_update accuracy_iid accuracy_non_iid data_throughput traffic_load computing_time_ratio" ;;
    "runs --format") words="table json" ;;
    "runs --sort") words="run started state data-set scheme network workers seed steps time accuracy loss tag note" ;;
    "summarize --format") words="table json csv latex esync amb-csv tensorboard mlflow" ;;
    "train --async-master") words="batch time" ;;
    "train --augment") words="none crop flip crop,flip" ;;
    "train --client-weights") words="examples uniform" ;;
    "train --coded-repetition") words="cyclic fractional" ;;
    "train --cost") words="measured given" ;;
    "train --dcasgd-mode") words="constant adaptive" ;;
    "train --device") words="cpu gpu gpu:opencl gpu:nd4j cpu_master gpu_master gpu_all" ;;
    "train --encrypt") words="off on" ;;
    "train --engine") words="mpj openmpi sim" ;;
    "train --esync-weighting") words="uniform steps" ;;
    "train --evaluate") words="background blocking last" ;;
    "train --evaluator") words="none process" ;;
    "train --gradient-norm") words="off on" ;;
    "train --gradients") words="real none" ;;
    "train --induce") words="none niagara cedar" ;;
    "train --local-steps-by") words="speed none" ;;
    "train --loss") words="mcxent xent hinge squared-hinge mse l2 mae l1 mape msle poisson kl-divergence wasserstein" ;;
    "train --lrate-schedule") words="const linear cosine exponential epochs inverse-sqrt range plateau" ;;
    "train --network") words="mnist-cnn cifar10-cnn toy-fc toy-conv sigmoid-mlp mlp cnn logistic-regression linear-regression adacomp-cnn lenet quadratic resnet18-v1 resnet50-v1 resnet50-v2 alexnet mobilenet-v1 mobilenet-v2 inception-v3 resnet18 resnet32 resnet50 resnet110 resnet152 vgg11 vgg13 vgg16 vgg19 wrn-28-2 gpt nano-gpt vit python" ;;
    "train --non-finite") words="halt drop" ;;
    "train --norm") words="batch group none" ;;
    "train --outdated") words="finish restart" ;;
    "train --outer-average") words="radial mean" ;;
    "train --precision") words="fp32 bf16 auto" ;;
    "train --progress") words="auto plain json none" ;;
    "train --reproducible") words="none avx2" ;;
    "train --resume-from") words="newest start" ;;
    "train --rule-form") words="tensorflow pytorch keras" ;;
    "train --shared-memory") words="host none" ;;
    "train --topology") words="star sliced" ;;
    "whatif --format") words="table json" ;;
    *)
      case "${COMP_WORDS[1]} $place" in
      "bench 1") words="overhead step bandwidth partitions compute peers optimizers codec memory load sim engines" ;;
      "codecs 1") words="none fp16 bf16 int8 topk dgc demo randomk adacomp threshold qsgd terngrad atomo-svd atomo-entry powersgd signsgd ef-sign onebit sketchml lss" ;;
      "completion 1") words="bash zsh fish" ;;
      "data 1") words="list fetch check mnist fashion-mnist emnist cifar10 cifar100 optdigits digits toy linear logistic tinyshakespeare text a9a w8a quadratic python" ;;
      "delays 1") words="none niagara cedar" ;;
      "experiment 1") words="list" ;;
      "models 1") words="mnist-cnn cifar10-cnn toy-fc toy-conv sigmoid-mlp mlp cnn logistic-regression linear-regression adacomp-cnn lenet quadratic resnet18-v1 resnet50-v1 resnet50-v2 alexnet mobilenet-v1 mobilenet-v2 inception-v3 resnet18 resnet32 resnet50 resnet110 resnet152 vgg11 vgg13 vgg16 vgg19 wrn-28-2 gpt nano-gpt vit python" ;;
      "reproduce 1") words="list" ;;
      "rules 1") words="sgd mom rms adm adamw dual-averaging" ;;
      "runs 1") words="list compare remove archive" ;;
      "schedules 1") words="const linear cosine exponential epochs inverse-sqrt range plateau" ;;
      "schemes 1") words="fmb sync amb k-sync async ssp dcasgd amb-dg fmb-dg local-sgd diloco async-diloco streaming-diloco decoupled-diloco anytime-sgd esync fedavg fedprox fedbuff scaffold fedcompass coded delay-adaptive ringmaster rennala malenia ringleader ia2sgd rescaled-asgd amb-graph fmb-graph noloco" ;;
      "train 1") words="mnist fashion-mnist emnist cifar10 cifar100 optdigits digits toy linear logistic tinyshakespeare text a9a w8a quadratic python" ;;
      "train 2") words="fmb sync amb k-sync async ssp dcasgd amb-dg fmb-dg local-sgd diloco async-diloco streaming-diloco decoupled-diloco anytime-sgd esync fedavg fedprox fedbuff scaffold fedcompass coded delay-adaptive ringmaster rennala malenia ringleader ia2sgd rescaled-asgd amb-graph fmb-graph noloco" ;;
      "train 3") words="sgd mom rms adm adamw dual-averaging" ;;
      *)
        case "${COMP_WORDS[1]}" in
          bench) words="--amb-batch-size --amb-time-limit --batch-size --batch-sizes --codecs --compute --data-dir --data-set --device --draws --engines --fmb-batch-size --induce-scale --iterations --json --lengths --network --networks --out --parameters --partitions --precision --python --repeats --rounds --rules --sizes --slice --steps --tensorflow --torch --turns --wait-quiet --warm-up --workers --help" ;;
          campaign) words="--score --help" ;;
          codecs) words="--help" ;;
          completion) words="--help" ;;
          data) words="--data-dir --seed --shards --workers --help" ;;
          delays) words="--help" ;;
          doctor) words="--data-dir --runs-dir --workers --help" ;;
          evaluate) words="--by --data-dir --idle-limit --poll --test-size --watch --help" ;;
          experiment) words="--any-build --budget --check --data-dir --jobs --out --part --quick --report --help" ;;
          export) words="--checkpoint --format --output --help" ;;
          generate) words="--data-dir --length --prompt --seed --temperature --top-k --help" ;;
          models) words="--json --help" ;;
          plot) words="--and-kw --ax-size --beside --bw-time --data-dir --ext --filter-sigma --hist-ylog --label --not-kw --or-kw --out --reverse --save --separate --silent --subset --title --type --xmax --xmin --ylog --ymax --ymin --help" ;;
          predict) words="--data-dir --format --help" ;;
          report) words="--data-dir --interpolate --out --target-accuracy --target-loss --help" ;;
          reproduce) words="--any-build --budget --check --data-dir --jobs --out --part --quick --report --help" ;;
          rules) words="--help" ;;
          runs) words="--filter --format --out --reverse --runs-dir --sort --yes --help" ;;
          schedules) words="--help" ;;
          schemes) words="--help" ;;
          summarize) words="--baseline --columns --data-dir --each --format --interpolate --out --reverse --sort --target-accuracy --target-loss --to --help" ;;
          train) words="--amb-missed --amb-num-partitions --amb-time-limit --async-delay-std --async-master --async-master-batch-min --async-master-time-limit --augment --bandwidth --batch-norm-decay --batch-norm-epsilon --batch-size --betas --bind --budget --buffer-size --checkpoint-every --checkpoint-keep --class-weights --client-fraction --client-weights --clip-norm --clip-value --cluster --codec --coded-repetition --coded-stragglers --config --consensus-rounds --consensus-time --cost --cost-per-decoded-entry --cost-per-encoded-entry --cost-per-example --cost-per-parameter --cost-per-partition --cost-per-test-example --cuda --dashboard --data-dir --data-set --dcasgd-decay --dcasgd-lambda --dcasgd-mode --dead-after --delay-threshold --device --dispatch --downlink-codec --dry-run --encrypt --engine --epochs --epsilon --esync-epsilon --esync-epsilon-seconds --esync-partitions --esync-smoothing --esync-weighting --evaluate --evaluate-every --evaluator --fragments --gpu --gpus-per-node --grace --gradient-norm --gradients --gradients-per-update --graph --help --hosts --induce --induce-comp --induce-scale --init --init-from --inject --label-smoothing --last-step --latency --latest-arrival --learning-rate --local-epochs --local-steps --local-steps-after --local-steps-by --local-steps-max --local-steps-min --log-freq --loss --lr --lrate-epochs-every --lrate-epochs-frac --lrate-exp-decay-steps --lrate-exp-rate --lrate-exp-staircase --lrate-linear-end --lrate-schedule --lrate-sqrt-k --lrate-sqrt-mu --lrate-warmup-factor --lrate-warmup-steps --master-heap --max-epochs --max-time --metrics-port --min-workers --mixing --momentum --momentum-interval --name --nesterov --network --non-finite --norm --note --num-aggregate --on-end --outdated --outer-average --outer-learning-rate --outer-momentum --overlap --parameters --patience --plugins --precision --print-config --progress --proximal-mu --quiet --quorum --remote-shell --replay --reproducible --respawn --restart-partitions --restart-window --restarts --resume --resume-from --rho --rule-form --run-directory --runs-dir --scheme --seed --shards --shared-memory --speed --split-by-class --staleness --stall-after --start-limit --starter-learning-rate --steps --tag --target-accuracy --target-loss --test-size --topology --update-rule --validation --variance-steps --weight-decay --worker-heap --worker-times --workers" ;;
          watch) words="--host --port --help" ;;
          whatif) words="--format --help" ;;
        esac ;;
      esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _amb amb
