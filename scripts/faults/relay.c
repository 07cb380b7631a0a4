/* A link with delay and loss between two interfaces of this network namespace, where the kernel has no netem:
     relay INTERFACE INTERFACE SECONDS SHARE
   carries frames from each to the other SECONDS later, all but that SHARE of them, which a fixed seed chooses. */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* A frame with the kernel's note of checksums and segments that are still to be made. */
enum { LARGEST = 70000 };

struct frame {
  struct frame *next;
  double due;
  ssize_t length;
  char bytes[];
};

struct way {
  int from, to;
  struct frame *first, **last;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static int open_on(const char *interface) {
  int link = socket(AF_PACKET, SOCK_RAW, htons(ETH_P_ALL)), on = 1;
  struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = (int)if_nametoindex(interface)};
  struct packet_mreq promiscuous = {.mr_ifindex = address.sll_ifindex, .mr_type = PACKET_MR_PROMISC};
  if (link < 0 || setsockopt(link, SOL_PACKET, PACKET_VNET_HDR, &on, sizeof on) < 0 || bind(link, (struct sockaddr *)&address, sizeof address) < 0 ||
      setsockopt(link, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &promiscuous, sizeof promiscuous) < 0) {
    perror(interface);
    exit(1);
  }
  return link;
}

/* Takes what has come; what this program itself has sent comes as well. */
static void take(struct way *way, double delay, double loss) {
  static char bytes[LARGEST];
  struct sockaddr_ll source;
  socklen_t size = sizeof source;
  ssize_t length = recvfrom(way->from, bytes, sizeof bytes, 0, (struct sockaddr *)&source, &size);
  if (length <= 0 || source.sll_pkttype == PACKET_OUTGOING || drand48() < loss) return;
  struct frame *frame = malloc(sizeof *frame + length);
  if (!frame) return;
  *frame = (struct frame){.due = now() + delay, .length = length};
  memcpy(frame->bytes, bytes, length);
  *way->last = frame;
  way->last = &frame->next;
}

static void deliver(struct way *way) {
  while (way->first && way->first->due <= now()) {
    struct frame *frame = way->first;
    send(way->to, frame->bytes, frame->length, 0);
    way->first = frame->next;
    if (!way->first) way->last = &way->first;
    free(frame);
  }
}

int main(int count, char **arguments) {
  if (count != 5) {
    fprintf(stderr, "usage: relay INTERFACE INTERFACE SECONDS SHARE\n");
    return 2;
  }
  int a = open_on(arguments[1]), b = open_on(arguments[2]);
  double delay = atof(arguments[3]), loss = atof(arguments[4]);
  struct way ways[] = {{.from = a, .to = b}, {.from = b, .to = a}};
  struct pollfd links[] = {{.fd = a, .events = POLLIN}, {.fd = b, .events = POLLIN}};
  for (int i = 0; i < 2; i++) ways[i].last = &ways[i].first;
  for (;;) {
    poll(links, 2, ways[0].first || ways[1].first ? 1 : -1);
    for (int i = 0; i < 2; i++) {
      if (links[i].revents) take(&ways[i], delay, loss);
      deliver(&ways[i]);
    }
  }
}
