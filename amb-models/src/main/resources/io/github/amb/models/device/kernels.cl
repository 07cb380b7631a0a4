/*
 * The kernels of networks on a device, in OpenCL C 1.2 and CUDA C++.
 *
 * Each kernel runs in groups of LANES lanes. One per item has at least as many lanes as items, in
 * any number of groups; one per group has a group for each result, in which all lanes take part.
 * Sums have a fixed order, so that equal arguments give equal bits on a device. An array is a
 * buffer and the index of its first entry in it. Arrays are row-major, and have fewer than 2^31
 * entries.
 */

#ifndef LANES
#define LANES 64
#endif

#ifdef __CUDACC__
typedef long long wide;
#define KERNEL extern "C" __global__ void
#define FUNCTION static __device__ __forceinline__
#define GLOBAL
#define SHARED __shared__
#define SHARED_POINTER float *
#define BARRIER __syncthreads()
#define LANE ((int)threadIdx.x)
#define GROUP ((int)blockIdx.x)
#else
typedef long wide;
#define KERNEL __kernel __attribute__((reqd_work_group_size(LANES, 1, 1))) void
#define FUNCTION static inline
#define GLOBAL __global
#define SHARED __local
#define SHARED_POINTER __local float *
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define LANE ((int)get_local_id(0))
#define GROUP ((int)get_group_id(0))
#endif

#define ITEM (GROUP * LANES + LANE)
#define IN(x) GLOBAL const float *x, const wide x##_at
#define INTEGERS(x) GLOBAL const int *x, const wide x##_at
#define OUT(x) GLOBAL float *x, const wide x##_at
#define AT(x) x += x##_at;

/* The order of io.github.amb.models.graph.Activation. */
#define IDENTITY 0
#define RELU 1
#define RELU6 2
#define SIGMOID 3
#define TANH 4
#define GELU 5
#define GELU_TANH 6

#define ROOT_HALF 0.70710678118654752f
#define ROOT_2_OVER_PI 0.79788456080286536f
#define ROOT_1_OVER_2PI 0.39894228040143268f
#define CUBIC 0.044715f
#define LN_10 2.302585092994046f
#define MIN_NORMAL 1.17549435e-38f

FUNCTION float activate(float x, int function) {
  switch (function) {
    case RELU: return fmax(x, 0.f);
    case RELU6: return fmin(fmax(x, 0.f), 6.f);
    case SIGMOID: return 1.f / (1.f + exp(-x));
    case TANH: return tanh(x);
    case GELU: return 0.5f * x * (1.f + erf(x * ROOT_HALF));
    case GELU_TANH: return 0.5f * x * (1.f + tanh(ROOT_2_OVER_PI * (x + CUBIC * x * x * x)));
    default: return x;
  }
}

/* The derivative, of the result, or for GELU of the argument. */
FUNCTION float slope(float kept, int function) {
  float t;
  switch (function) {
    case RELU: return kept > 0.f ? 1.f : 0.f;
    case RELU6: return kept > 0.f && kept < 6.f ? 1.f : 0.f;
    case SIGMOID: return kept * (1.f - kept);
    case TANH: return 1.f - kept * kept;
    case GELU:
      return 0.5f * (1.f + erf(kept * ROOT_HALF))
          + kept * ROOT_1_OVER_2PI * exp(-0.5f * kept * kept);
    case GELU_TANH:
      t = tanh(ROOT_2_OVER_PI * (kept + CUBIC * kept * kept * kept));
      return 0.5f * (1.f + t)
          + 0.5f * kept * (1.f - t * t) * ROOT_2_OVER_PI * (1.f + 3.f * CUBIC * kept * kept);
    default: return 1.f;
  }
}

/* The sum of all lanes' values, for each of them. */
FUNCTION float total(SHARED_POINTER parts, float value) {
  float sum;
  int away;
  parts[LANE] = value;
  for (away = LANES / 2; away > 0; away /= 2) {
    BARRIER;
    if (LANE < away) {
      parts[LANE] += parts[LANE + away];
    }
  }
  BARRIER;
  sum = parts[0];
  BARRIER;
  return sum;
}

/* The largest of all lanes' values, for each of them. */
FUNCTION float largest(SHARED_POINTER parts, float value) {
  float most;
  int away;
  parts[LANE] = value;
  for (away = LANES / 2; away > 0; away /= 2) {
    BARRIER;
    if (LANE < away) {
      parts[LANE] = fmax(parts[LANE], parts[LANE + away]);
    }
  }
  BARRIER;
  most = parts[0];
  BARRIER;
  return most;
}

/*
 * Products of matrices, c = alpha (sum of a b) + beta c, of m rows, n columns and inner size k; a
 * group per tile of a product. There are as many products as tiles allow, in outer times inner
 * ones, each of which sums as many products as `sums` says.
 */
#define TILE 32
#define DEPTH 16
#define SIDE 4
#define ACROSS (TILE / SIDE)

KERNEL product(
    IN(a), IN(b), OUT(c), const int m, const int n, const int k, const int inner, const int sums,
    const int a_row, const int a_column, const int a_outer, const int a_inner, const int a_sum,
    const int b_row, const int b_column, const int b_outer, const int b_inner, const int b_sum,
    const int c_row, const int c_outer, const int c_inner, const float alpha, const float beta) {
  SHARED float left[DEPTH][TILE + 1];
  SHARED float right[DEPTH][TILE + 1];
  float sum[SIDE][SIDE];
  const int across = (n + TILE - 1) / TILE;
  const int tiles = (m + TILE - 1) / TILE * across;
  const int batch = GROUP / tiles;
  const int row = GROUP % tiles / across * TILE;
  const int column = GROUP % tiles % across * TILE;
  const int y = LANE / ACROSS * SIDE;
  const int x = LANE % ACROSS * SIDE;
  int i, j, s, t, depth, at, from;
  AT(a) AT(b) AT(c)
  a += (wide)(batch / inner) * a_outer + (wide)(batch % inner) * a_inner;
  b += (wide)(batch / inner) * b_outer + (wide)(batch % inner) * b_inner;
  c += (wide)(batch / inner) * c_outer + (wide)(batch % inner) * c_inner;
  for (i = 0; i < SIDE; i++) {
    for (j = 0; j < SIDE; j++) {
      sum[i][j] = 0.f;
    }
  }
  for (s = 0; s < sums; s++) {
    for (from = 0; from < k; from += DEPTH) {
      for (t = LANE; t < TILE * DEPTH; t += LANES) {
        at = a_column == 1 ? t / DEPTH : t % TILE;
        depth = a_column == 1 ? t % DEPTH : t / TILE;
        left[depth][at] =
            row + at < m && from + depth < k
                ? a[(wide)(row + at) * a_row + (wide)(from + depth) * a_column]
                : 0.f;
        at = b_row == 1 ? t / DEPTH : t % TILE;
        depth = b_row == 1 ? t % DEPTH : t / TILE;
        right[depth][at] =
            column + at < n && from + depth < k
                ? b[(wide)(from + depth) * b_row + (wide)(column + at) * b_column]
                : 0.f;
      }
      BARRIER;
      for (depth = 0; depth < DEPTH; depth++) {
        for (i = 0; i < SIDE; i++) {
          for (j = 0; j < SIDE; j++) {
            sum[i][j] += left[depth][y + i] * right[depth][x + j];
          }
        }
      }
      BARRIER;
    }
    a += a_sum;
    b += b_sum;
  }
  for (i = 0; i < SIDE; i++) {
    for (j = 0; j < SIDE; j++) {
      if (row + y + i < m && column + x + j < n) {
        const wide to = (wide)(row + y + i) * c_row + column + x + j;
        c[to] = beta == 0.f ? alpha * sum[i][j] : alpha * sum[i][j] + beta * c[to];
      }
    }
  }
}

/* Per item. */

KERNEL fill(OUT(x), const int count, const float value) {
  AT(x)
  if (ITEM < count) {
    x[ITEM] = value;
  }
}

/* x = function(x + bias), with a bias per channel of `plane` entries, or without. */
KERNEL bias_activation(
    OUT(x), IN(bias), const int count, const int channels, const int plane, const int biased,
    const int function) {
  AT(x) AT(bias)
  if (ITEM < count) {
    const float shift = biased ? bias[ITEM / plane % channels] : 0.f;
    x[ITEM] = activate(x[ITEM] + shift, function);
  }
}

KERNEL activation(IN(x), OUT(y), const int count, const int function) {
  AT(x) AT(y)
  if (ITEM < count) {
    y[ITEM] = activate(x[ITEM], function);
  }
}

KERNEL activation_backward(
    IN(kept), IN(dy), OUT(dx), const int count, const int function) {
  AT(kept) AT(dy) AT(dx)
  if (ITEM < count) {
    dx[ITEM] = dy[ITEM] * slope(kept[ITEM], function);
  }
}

KERNEL add(IN(a), IN(b), OUT(y), const int count, const int function) {
  AT(a) AT(b) AT(y)
  if (ITEM < count) {
    y[ITEM] = activate(a[ITEM] + b[ITEM], function);
  }
}

KERNEL multiply(IN(a), IN(b), OUT(y), const int count) {
  AT(a) AT(b) AT(y)
  if (ITEM < count) {
    y[ITEM] = a[ITEM] * b[ITEM];
  }
}

KERNEL scale(IN(x), OUT(y), const int count, const float factor) {
  AT(x) AT(y)
  if (ITEM < count) {
    y[ITEM] = factor * x[ITEM];
  }
}

/* Copies the first `length` entries of each row, of rows that are apart by steps. */
KERNEL copy_rows(
    IN(x), OUT(y), const int count, const int length, const int x_step, const int y_step) {
  AT(x) AT(y)
  if (ITEM < count) {
    y[ITEM / length * y_step + ITEM % length] = x[ITEM / length * x_step + ITEM % length];
  }
}

/* Planes within others: y(r, c) = x(r - top, c - left), or 0 where x has none. */
KERNEL shift(
    IN(x), OUT(y), const int count, const int x_height, const int x_width, const int y_height,
    const int y_width, const int top, const int left) {
  AT(x) AT(y)
  if (ITEM < count) {
    const int plane = ITEM / (y_height * y_width);
    const int row = (ITEM % (y_height * y_width)) / y_width - top;
    const int column = (ITEM % y_width) - left;
    const int inside = row >= 0 && row < x_height && column >= 0 && column < x_width;
    y[ITEM] = inside ? x[(plane * x_height + row) * x_width + column] : 0.f;
  }
}

/* A window of a convolution or of pooling. */
#define WINDOW \
  const int height, const int width, const int out_height, const int out_width, \
  const int kernel_height, const int kernel_width, const int down, const int right, \
  const int top, const int left

/* The values under each place of a window: y[plane][kernel row][kernel column][place]. */
KERNEL unfold(IN(x), OUT(y), const int count, WINDOW) {
  AT(x) AT(y)
  if (ITEM < count) {
    const int places = out_height * out_width;
    const int place = (ITEM % places);
    const int part = (ITEM / places % (kernel_height * kernel_width));
    const int plane = ITEM / places / (kernel_height * kernel_width);
    const int row = place / out_width * down - top + part / kernel_width;
    const int column = place % out_width * right - left + part % kernel_width;
    const int inside = row >= 0 && row < height && column >= 0 && column < width;
    y[ITEM] = inside ? x[(plane * height + row) * width + column] : 0.f;
  }
}

/* The places of a window that cover a row or column, from the first to the one after the last. */
#define FIRST(at, before, extent, stride) \
  ((at) + (before) - (extent) + 1 <= 0 ? 0 : ((at) + (before) - (extent) + (stride)) / (stride))
#define END(at, before, stride, places) \
  (((at) + (before)) / (stride) + 1 < (places) ? ((at) + (before)) / (stride) + 1 : (places))
#define COVERING \
  const int plane = ITEM / (height * width); \
  const int row = (ITEM % (height * width)) / width; \
  const int column = (ITEM % width); \
  const int first_row = FIRST(row, top, kernel_height, down); \
  const int end_row = END(row, top, down, out_height); \
  const int first_column = FIRST(column, left, kernel_width, right); \
  const int end_column = END(column, left, right, out_width); \
  int i, j;

/* The sums of what `unfold` copied from each value. */
KERNEL fold(IN(y), OUT(x), const int count, WINDOW) {
  AT(x) AT(y)
  if (ITEM < count) {
    float sum = 0.f;
    COVERING
    for (i = first_row; i < end_row; i++) {
      for (j = first_column; j < end_column; j++) {
        const int part =
            (row + top - i * down) * kernel_width + column + left - j * right;
        sum += y[((plane * kernel_height * kernel_width + part) * out_height + i) * out_width + j];
      }
    }
    x[ITEM] = sum;
  }
}

/* Each channel convolved by itself; weights are [kernel row, kernel column, channel, multiple]. */
KERNEL depthwise(
    IN(x), IN(w), OUT(y), const int count, const int channels, const int multiple, WINDOW) {
  AT(x) AT(w) AT(y)
  if (ITEM < count) {
    const int results = channels * multiple;
    const int place = (ITEM % (out_height * out_width));
    const int result = ITEM / (out_height * out_width);
    const int to = (result % results);
    const int plane = result / results * channels + to / multiple;
    const int row = place / out_width * down - top;
    const int column = place % out_width * right - left;
    float sum = 0.f;
    int i, j;
    for (i = 0; i < kernel_height; i++) {
      for (j = 0; j < kernel_width; j++) {
        if (row + i >= 0 && row + i < height && column + j >= 0 && column + j < width) {
          sum += w[(i * kernel_width + j) * results + to]
              * x[(plane * height + row + i) * width + column + j];
        }
      }
    }
    y[ITEM] = sum;
  }
}

KERNEL depthwise_backward(
    IN(dy), IN(w), OUT(dx), const int count, const int channels, const int multiple, WINDOW) {
  AT(dy) AT(w) AT(dx)
  if (ITEM < count) {
    float sum = 0.f;
    int to;
    COVERING
    for (to = 0; to < multiple; to++) {
      const int result = plane * multiple + to;
      const int weight = (plane % channels) * multiple + to;
      for (i = first_row; i < end_row; i++) {
        for (j = first_column; j < end_column; j++) {
          const int part =
              (row + top - i * down) * kernel_width + column + left - j * right;
          sum += w[part * channels * multiple + weight]
              * dy[(result * out_height + i) * out_width + j];
        }
      }
    }
    dx[ITEM] = sum;
  }
}

/* A group per weight, to whose gradient it adds. */
KERNEL depthwise_weights(
    IN(x), IN(dy), OUT(dw), const int examples, const int channels, const int multiple, WINDOW) {
  SHARED float parts[LANES];
  const int results = channels * multiple;
  const int to = GROUP % results;
  const int part = GROUP / results;
  const int places = out_height * out_width;
  float sum = 0.f;
  int i;
  AT(x) AT(dy) AT(dw)
  for (i = LANE; i < examples * places; i += LANES) {
    const int example = i / places;
    const int place = (i % places);
    const int row = place / out_width * down - top + part / kernel_width;
    const int column = place % out_width * right - left + part % kernel_width;
    if (row >= 0 && row < height && column >= 0 && column < width) {
      sum += dy[(example * results + to) * places + place]
          * x[((example * channels + to / multiple) * height + row) * width + column];
    }
  }
  sum = total(parts, sum);
  if (LANE == 0) {
    dw[GROUP] += sum;
  }
}

/* The first largest value of each window, and its place in the plane. */
KERNEL maximum(IN(x), OUT(y), OUT(place), const int count, WINDOW) {
  AT(x) AT(y) AT(place)
  if (ITEM < count) {
    const int plane = ITEM / (out_height * out_width);
    const int row = (ITEM % (out_height * out_width)) / out_width * down - top;
    const int column = (ITEM % out_width) * right - left;
    float most = 0.f;
    int found = -1;
    int i, j;
    for (i = row < 0 ? 0 : row; i < row + kernel_height && i < height; i++) {
      for (j = column < 0 ? 0 : column; j < column + kernel_width && j < width; j++) {
        const float value = x[(plane * height + i) * width + j];
        if (found < 0 || value > most) {
          most = value;
          found = i * width + j;
        }
      }
    }
    y[ITEM] = most;
    place[ITEM] = (float)found;
  }
}

KERNEL maximum_backward(IN(place), IN(dy), OUT(dx), const int count, WINDOW) {
  AT(place) AT(dy) AT(dx)
  if (ITEM < count) {
    float sum = 0.f;
    COVERING
    for (i = first_row; i < end_row; i++) {
      for (j = first_column; j < end_column; j++) {
        const int result = (plane * out_height + i) * out_width + j;
        if (place[result] == (float)(row * width + column)) {
          sum += dy[result];
        }
      }
    }
    dx[ITEM] = sum;
  }
}

/* How many values a window has, with its padding or without. */
FUNCTION float window_size(int from, int extent, int size, int padded) {
  const int first = from < 0 ? 0 : from;
  const int end = from + extent < size ? from + extent : size;
  return (float)(padded ? extent : end - first);
}

KERNEL mean(IN(x), OUT(y), const int count, const int padded, WINDOW) {
  AT(x) AT(y)
  if (ITEM < count) {
    const int plane = ITEM / (out_height * out_width);
    const int row = (ITEM % (out_height * out_width)) / out_width * down - top;
    const int column = (ITEM % out_width) * right - left;
    float sum = 0.f;
    int i, j;
    for (i = row < 0 ? 0 : row; i < row + kernel_height && i < height; i++) {
      for (j = column < 0 ? 0 : column; j < column + kernel_width && j < width; j++) {
        sum += x[(plane * height + i) * width + j];
      }
    }
    y[ITEM] = sum
        / (window_size(row, kernel_height, height, padded)
            * window_size(column, kernel_width, width, padded));
  }
}

KERNEL mean_backward(IN(dy), OUT(dx), const int count, const int padded, WINDOW) {
  AT(dy) AT(dx)
  if (ITEM < count) {
    float sum = 0.f;
    COVERING
    for (i = first_row; i < end_row; i++) {
      for (j = first_column; j < end_column; j++) {
        sum += dy[(plane * out_height + i) * out_width + j]
            / (window_size(i * down - top, kernel_height, height, padded)
                * window_size(j * right - left, kernel_width, width, padded));
      }
    }
    dx[ITEM] = sum;
  }
}

/* Arrays [outer, channels, inner]; a group per channel. */

KERNEL sums(IN(x), OUT(sum), const int outer, const int channels, const int inner) {
  SHARED float parts[LANES];
  float part = 0.f;
  int i;
  AT(x) AT(sum)
  for (i = LANE; i < outer * inner; i += LANES) {
    part += x[(i / inner * channels + GROUP) * inner + i % inner];
  }
  part = total(parts, part);
  if (LANE == 0) {
    sum[GROUP] += part;
  }
}

/* Mean, variance and 1 / sqrt(variance + epsilon), one after the other for all channels. */
KERNEL statistics(
    IN(x), OUT(statistic), const int outer, const int channels, const int inner,
    const float epsilon) {
  SHARED float parts[LANES];
  const float count = (float)outer * (float)inner;
  float part = 0.f;
  float mean;
  int i;
  AT(x) AT(statistic)
  for (i = LANE; i < outer * inner; i += LANES) {
    part += x[(i / inner * channels + GROUP) * inner + i % inner];
  }
  mean = total(parts, part) / count;
  part = 0.f;
  for (i = LANE; i < outer * inner; i += LANES) {
    const float apart = x[(i / inner * channels + GROUP) * inner + i % inner] - mean;
    part += apart * apart;
  }
  part = total(parts, part) / count;
  if (LANE == 0) {
    statistic[GROUP] = mean;
    statistic[channels + GROUP] = part;
    statistic[2 * channels + GROUP] = 1.f / sqrt(part + epsilon);
  }
}

/* The same from running statistics: means, then log10 of deviations. */
KERNEL running(IN(kept), OUT(statistic), const int channels, const float epsilon) {
  AT(kept) AT(statistic)
  if (ITEM < channels) {
    const float variance = exp(2.f * LN_10 * kept[channels + ITEM]);
    statistic[ITEM] = kept[ITEM];
    statistic[channels + ITEM] = variance;
    statistic[2 * channels + ITEM] = 1.f / sqrt(variance + epsilon);
  }
}

/* Adds what is to be subtracted from running statistics, times the number of examples. */
KERNEL running_update(
    IN(statistic), IN(kept), OUT(sum), const int channels, const float examples,
    const float share) {
  AT(statistic) AT(kept) AT(sum)
  if (ITEM < channels) {
    const float logarithm = kept[channels + ITEM];
    const float old = exp(2.f * LN_10 * logarithm);
    const float next = (1.f - share) * old + share * statistic[channels + ITEM];
    sum[ITEM] += examples * share * (kept[ITEM] - statistic[ITEM]);
    if (old > MIN_NORMAL && next > MIN_NORMAL) {
      const float change = share * (statistic[channels + ITEM] / old - 1.f);
      sum[channels + ITEM] -= examples * 0.5f / LN_10 * log1p(change);
    } else {
      sum[channels + ITEM] +=
          examples * (logarithm - 0.5f / LN_10 * log(fmax(MIN_NORMAL, next)));
    }
  }
}

/*
 * A normalization has statistics per channel of [.., channels, inner], and scales, if there are
 * any, per entry of [.., scales, plane], followed by shifts.
 */
#define NORMAL \
  const int channels, const int inner, const int scales, const int plane

KERNEL normal(
    IN(x), IN(statistic), IN(scale), OUT(y), const int count, const int scaled,
    const int shifted, const int function, NORMAL) {
  AT(x) AT(statistic) AT(scale) AT(y)
  if (ITEM < count) {
    const int channel = (ITEM / inner % channels);
    const int at = (ITEM / plane % scales);
    float value = (x[ITEM] - statistic[channel]) * statistic[2 * channels + channel];
    value = scaled ? value * scale[at] : value;
    value = shifted ? value + scale[scales + at] : value;
    y[ITEM] = activate(value, function);
  }
}

/* A group per channel: the means of the gradient by normal values, and of it times them. */
KERNEL normalization_means(
    IN(x), IN(dy), IN(statistic), IN(scale), OUT(mean), const int outer, const int scaled,
    NORMAL) {
  SHARED float parts[LANES];
  const float count = (float)outer * (float)inner;
  float sum = 0.f;
  float weighted = 0.f;
  float average, inverse;
  int i;
  AT(x) AT(dy) AT(statistic) AT(scale) AT(mean)
  average = statistic[GROUP];
  inverse = statistic[2 * channels + GROUP];
  for (i = LANE; i < outer * inner; i += LANES) {
    const int at = (i / inner * channels + GROUP) * inner + i % inner;
    const float d = scaled ? dy[at] * scale[at / plane % scales] : dy[at];
    sum += d;
    weighted += d * (x[at] - average) * inverse;
  }
  sum = total(parts, sum);
  weighted = total(parts, weighted);
  if (LANE == 0) {
    mean[GROUP] = sum / count;
    mean[channels + GROUP] = weighted / count;
  }
}

KERNEL normalization_backward(
    IN(x), IN(dy), IN(statistic), IN(scale), IN(mean), OUT(dx), const int count,
    const int scaled, NORMAL) {
  AT(x) AT(dy) AT(statistic) AT(scale) AT(mean) AT(dx)
  if (ITEM < count) {
    const int channel = (ITEM / inner % channels);
    const float inverse = statistic[2 * channels + channel];
    const float normal = (x[ITEM] - statistic[channel]) * inverse;
    const float d = scaled ? dy[ITEM] * scale[ITEM / plane % scales] : dy[ITEM];
    dx[ITEM] = inverse * (d - mean[channel] - normal * mean[channels + channel]);
  }
}

/* A group per scale: adds the gradients by it and by its shift. */
KERNEL normalization_scales(
    IN(x), IN(dy), IN(statistic), OUT(sum), const int outer, const int shifted, NORMAL) {
  SHARED float parts[LANES];
  float weighted = 0.f;
  float plain = 0.f;
  int i;
  AT(x) AT(dy) AT(statistic) AT(sum)
  for (i = LANE; i < outer * plane; i += LANES) {
    const int at = (i / plane * scales + GROUP) * plane + i % plane;
    const int channel = (at / inner % channels);
    weighted += dy[at] * (x[at] - statistic[channel]) * statistic[2 * channels + channel];
    plain += dy[at];
  }
  weighted = total(parts, weighted);
  plain = total(parts, plain);
  if (LANE == 0) {
    sum[GROUP] += weighted;
    if (shifted) {
      sum[scales + GROUP] += plain;
    }
  }
}

/* Sequences [examples, positions, features]. */

KERNEL embedding(
    IN(token), IN(vector), IN(place), OUT(y), const int count, const int positions,
    const int features) {
  AT(token) AT(vector) AT(place) AT(y)
  if (ITEM < count) {
    const int row = ITEM / features;
    const int feature = (ITEM % features);
    y[ITEM] = vector[(int)token[row] * features + feature]
        + place[row % positions * features + feature];
  }
}

/* Adds the rows of each token, which `order` lists from `start[token]` to `start[token + 1]`. */
KERNEL embedding_backward(
    IN(dy), INTEGERS(start), INTEGERS(order), OUT(sum), const int count, const int features) {
  AT(dy) AT(start) AT(order) AT(sum)
  if (ITEM < count) {
    const int token = (ITEM / features);
    const int feature = (ITEM % features);
    float part = 0.f;
    int i;
    for (i = start[token]; i < start[token + 1]; i++) {
      part += dy[order[i] * features + feature];
    }
    sum[ITEM] += part;
  }
}

/* Each example's matrix turned, [rows, columns] to [columns, rows], plus one of all if added. */
KERNEL turn(
    IN(x), IN(summand), OUT(y), const int count, const int rows, const int columns,
    const int added) {
  AT(x) AT(summand) AT(y)
  if (ITEM < count) {
    const int size = rows * columns;
    const int at = ITEM % size;
    const float value = x[ITEM / size * size + at % rows * columns + at / rows];
    y[ITEM] = added ? value + summand[at] : value;
  }
}

KERNEL position_mean(
    IN(x), OUT(y), const int count, const int positions, const int features) {
  AT(x) AT(y)
  if (ITEM < count) {
    float sum = 0.f;
    int i;
    for (i = 0; i < positions; i++) {
      sum += x[(ITEM / features * positions + i) * features + ITEM % features];
    }
    y[ITEM] = sum / (float)positions;
  }
}

KERNEL position_mean_backward(
    IN(dy), OUT(dx), const int count, const int positions, const int features) {
  AT(dy) AT(dx)
  if (ITEM < count) {
    dx[ITEM] =
        dy[ITEM / features / positions * features + ITEM % features] / (float)positions;
  }
}

/* A group per row of a square: the softmax of its first entries, or of all, and 0 after them. */
KERNEL softmax(OUT(x), const int size, const int causal) {
  SHARED float parts[LANES];
  const int end = causal ? GROUP % size + 1 : size;
  float most, sum;
  int i;
  AT(x)
  x += GROUP * size;
  most = x[0];
  for (i = LANE; i < end; i += LANES) {
    most = fmax(most, x[i]);
  }
  most = largest(parts, most);
  sum = 0.f;
  for (i = LANE; i < size; i += LANES) {
    const float value = i < end ? exp(x[i] - most) : 0.f;
    x[i] = value;
    sum += value;
  }
  sum = total(parts, sum);
  for (i = LANE; i < end; i += LANES) {
    x[i] /= sum;
  }
}

/* The gradient by the factors of a scaled product, in place of that by the softmax y of it. */
KERNEL softmax_backward(
    IN(y), OUT(d), const int size, const int causal, const float factor) {
  SHARED float parts[LANES];
  const int end = causal ? GROUP % size + 1 : size;
  float mean = 0.f;
  int i;
  AT(y) AT(d)
  y += GROUP * size;
  d += GROUP * size;
  for (i = LANE; i < end; i += LANES) {
    mean += y[i] * d[i];
  }
  mean = total(parts, mean);
  for (i = LANE; i < size; i += LANES) {
    d[i] = i < end ? factor * y[i] * (d[i] - mean) : 0.f;
  }
}
