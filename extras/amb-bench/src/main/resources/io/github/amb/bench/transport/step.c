/* The yardstick in C: one step's communication, point to point and by MPI's collectives.
 * usage: step LENGTHS STEPS, both joined by commas; the master prints "time NAME LENGTH MICROSECONDS" per step. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Summed at a time, so that sums stay in the cache. */
#define CHUNK 4096

static int rank, size;
static float *parameters, *sum, **gradients;

/* What the engine does: MPI's broadcast, gradients as they come, a sum in rank order. */
static void gather(int length) {
  MPI_Bcast(parameters, length, MPI_FLOAT, 0, MPI_COMM_WORLD);
  if (rank > 0) {
    MPI_Send(gradients[0], length, MPI_FLOAT, 0, 1, MPI_COMM_WORLD);
    return;
  }
  MPI_Request requests[size];
  for (int i = 1; i < size; i++) {
    MPI_Irecv(gradients[i], length, MPI_FLOAT, i, 1, MPI_COMM_WORLD, &requests[i - 1]);
  }
  MPI_Waitall(size - 1, requests, MPI_STATUSES_IGNORE);
  for (int start = 0; start < length; start += CHUNK) {
    int count = length - start < CHUNK ? length - start : CHUNK;
    memcpy(sum + start, gradients[1] + start, sizeof(float) * (size_t)count);
    for (int i = 2; i < size; i++) {
      for (int j = start; j < start + count; j++) sum[j] += gradients[i][j];
    }
  }
}

/* MPI's own reduction, which sums in an order of its choice. */
static void reduce(int length) {
  MPI_Bcast(parameters, length, MPI_FLOAT, 0, MPI_COMM_WORLD);
  MPI_Reduce(gradients[0], sum, length, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void measure(const char *name, void (*step)(int), int length, int steps) {
  for (int i = -2; i < steps; i++) {
    double start = MPI_Wtime();
    step(length);
    if (rank == 0 && i >= 0) printf("time %s %d %.1f\n", name, length, 1e6 * (MPI_Wtime() - start));
  }
}

static float *vector(int length) {
  float *values = malloc(sizeof(float) * (size_t)length);
  if (!values) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < length; i++) values[i] = 0.001f * (i % 1000);
  return values;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char *lengths = argv[1], *steps = argv[2], *more_lengths, *more_steps;
  char *length = strtok_r(lengths, ",", &more_lengths), *count = strtok_r(steps, ",", &more_steps);
  for (; length && count; length = strtok_r(NULL, ",", &more_lengths), count = strtok_r(NULL, ",", &more_steps)) {
    int n = atoi(length), vectors = rank == 0 ? size : 1;
    parameters = vector(n);
    sum = vector(n);
    gradients = malloc(sizeof(float *) * (size_t)vectors);
    for (int i = 0; i < vectors; i++) gradients[i] = vector(n);
    measure("c-gather", gather, n, atoi(count));
    measure("c-reduce", reduce, n, atoi(count));
    for (int i = 0; i < vectors; i++) free(gradients[i]);
    free(gradients);
    free(sum);
    free(parameters);
  }
  MPI_Finalize();
  return 0;
}
