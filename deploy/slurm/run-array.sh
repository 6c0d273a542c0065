#!/usr/bin/env bash
# sbatch --array=1-16 deploy/slurm/run-array.sh sceneshift.yaml runs/big
# Each task does its share; a task that is requeued goes on where it stopped. Then: sceneshift merge runs/big/part-* --out runs/big/whole
#SBATCH --job-name=sceneshift
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --signal=TERM@60
set -euo pipefail
config=${1:?the settings, sceneshift.yaml}
out=${2:?the folder for the parts}
exec srun npx sceneshift run --config "$config" \
  --shard "${SLURM_ARRAY_TASK_ID:?start it with --array}/${SLURM_ARRAY_TASK_COUNT:?}" \
  --threads "${SLURM_CPUS_PER_TASK:-1}" \
  --out "$out/part-$SLURM_ARRAY_TASK_ID"
