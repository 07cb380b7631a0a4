/* A bad link between two interfaces of this network namespace, where the kernel has no netem:
     relay INTERFACE INTERFACE SECONDS SHARE [FAULT]
   carries frames from each to the other SECONDS later, all but that SHARE of them, which a fixed seed chooses. With a FAULT none
   is lost; from SIGUSR1 on that SHARE of the TCP segments from the first interface is changed, with a checksum that fits:
     flip   a bit somewhere
     N      the four bytes from byte N on of a message of niodev that begins with the segment: a length of 2 GB in either byte order
     N=B    byte N of such a message: B
   Where the environment has RELAY_RECORD, the payloads of all TCP segments are added to the file of that name. */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
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
  const char *fault;
  struct frame *first, **last;
};

static volatile sig_atomic_t changing;
static FILE *record;

static void change(int signal) { changing = signal; }

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

/* The payload of a TCP segment whose checksum the kernel has still to make, as that of every segment from this machine; else null. */
static char *payload(char *bytes, ssize_t length, ssize_t *size) {
  struct virtio_net_hdr *note = (struct virtio_net_hdr *)bytes;
  struct iphdr *ip = (struct iphdr *)(bytes + sizeof *note + ETHER_HDR_LEN);
  struct tcphdr *tcp = (struct tcphdr *)((char *)ip + 4 * ip->ihl);
  char *data = (char *)tcp + 4 * tcp->doff;
  *size = bytes + length - data;
  int whole = !(note->flags & VIRTIO_NET_HDR_F_NEEDS_CSUM);
  return whole || ip->version != 4 || ip->protocol != IPPROTO_TCP || *size <= 0 ? NULL : data;
}

static void spoil(const char *fault, char *bytes, ssize_t length, double share) {
  static const char message[] = {-1, -1, -1, -24}, two_gb[] = {0x7f, -1, -1, 0x7f};
  char *value;
  ssize_t size, at = strtol(fault, &value, 10);
  char *data = payload(bytes, length, &size);
  if (!data || drand48() >= share) return;
  if (strcmp(fault, "flip") == 0)
    data[(ssize_t)(drand48() * size)] ^= 1 << (int)(drand48() * 8);
  else if (size < at + (ssize_t)sizeof two_gb || memcmp(data, message, sizeof message) != 0)
    return;
  else if (*value == '=')
    data[at] = (char)atoi(value + 1);
  else
    memcpy(data + at, two_gb, sizeof two_gb);
}

/* Takes what has come; what this program itself has sent comes as well. */
static void take(struct way *way, double delay, double share, const char *fault) {
  static char bytes[LARGEST];
  struct sockaddr_ll source;
  socklen_t size = sizeof source;
  ssize_t length = recvfrom(way->from, bytes, sizeof bytes, 0, (struct sockaddr *)&source, &size);
  if (length <= 0 || source.sll_pkttype == PACKET_OUTGOING || (!fault && drand48() < share)) return;
  ssize_t bare;
  char *data = record ? payload(bytes, length, &bare) : NULL;
  if (data) fwrite(data, 1, bare, record), fflush(record);
  if (changing && way->fault) spoil(way->fault, bytes, length, share);
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
  if (count != 5 && count != 6) {
    fprintf(stderr, "usage: relay INTERFACE INTERFACE SECONDS SHARE [FAULT]\n");
    return 2;
  }
  signal(SIGUSR1, change);
  if (getenv("RELAY_RECORD")) record = fopen(getenv("RELAY_RECORD"), "a");
  const char *fault = count == 6 ? arguments[5] : NULL;
  int a = open_on(arguments[1]), b = open_on(arguments[2]);
  double delay = atof(arguments[3]), share = atof(arguments[4]);
  struct way ways[] = {{.from = a, .to = b, .fault = fault}, {.from = b, .to = a}};
  struct pollfd links[] = {{.fd = a, .events = POLLIN}, {.fd = b, .events = POLLIN}};
  for (int i = 0; i < 2; i++) ways[i].last = &ways[i].first;
  for (;;) {
    poll(links, 2, ways[0].first || ways[1].first ? 1 : -1);
    for (int i = 0; i < 2; i++) {
      if (links[i].revents) take(&ways[i], delay, share, fault);
      deliver(&ways[i]);
    }
  }
}
