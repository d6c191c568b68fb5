/* A TCP proxy of one thread and level-triggered epoll: the practical limit for a proxy that copies or,
 * compiled with -DSPLICE, for one that moves bytes through pipes in the kernel.
 * Usage: loop PORT DESTINATION-PORT, both on 127.0.0.1. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* One connection, with what waits to be sent on it. */
struct side { struct side *other; size_t held; unsigned watched; int fd, ended, stopped; struct store *store; };
static int loop;

#ifdef SPLICE
enum { BLOCK = 1024 * 1024 };
struct store { int pipe[2]; struct store *next; };
static struct store *spare;

static int take(struct side *s) {
  if (s->store) return 0;
  if ((s->store = spare)) return spare = spare->next, 0;
  s->store = malloc(sizeof *s->store);
  if (pipe2(s->store->pipe, O_NONBLOCK | O_CLOEXEC)) return free(s->store), s->store = 0, -1;
  return fcntl(s->store->pipe[1], F_SETPIPE_SZ, BLOCK), 0;
}
static void give_back(struct side *s) {
  if (!s->store) return;
  if (s->held) close(s->store->pipe[0]), close(s->store->pipe[1]), free(s->store);
  else s->store->next = spare, spare = s->store;
  s->store = 0;
}
static ssize_t fill(int from, struct side *s) {
  if (take(s)) return -1;
  return splice(from, 0, s->store->pipe[1], 0, BLOCK, SPLICE_F_NONBLOCK | SPLICE_F_MOVE);
}
static ssize_t drain(struct side *s) {
  return splice(s->store->pipe[0], 0, s->fd, 0, s->held, SPLICE_F_NONBLOCK | SPLICE_F_MOVE);
}
#else
enum { BLOCK = 1024 * 1024 };
struct store { size_t from; char bytes[]; };
static char block[BLOCK]; /* what goes out at once needs no memory of its own */

static void give_back(struct side *s) { free(s->store), s->store = 0; }
static ssize_t fill(int from, struct side *s) { (void)s; return recv(from, block, BLOCK, MSG_DONTWAIT); }
static ssize_t drain(struct side *s) {
  char *bytes = s->store ? s->store->bytes + s->store->from : block;
  ssize_t n = send(s->fd, bytes, s->held, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (s->store) s->store->from += n > 0 ? n : 0;
  else if ((n < 0 && errno == EAGAIN) || (n >= 0 && (size_t)n < s->held)) {
    size_t sent = n > 0 ? n : 0;
    s->store = malloc(sizeof *s->store + s->held - sent), s->store->from = 0;
    memcpy(s->store->bytes, block + sent, s->held - sent);
  }
  return n;
}
#endif

static void watch(struct side *s) {
  struct epoll_event e = {.data.ptr = s};
  if (!s->ended && !s->other->held) e.events |= EPOLLIN;
  if (s->held) e.events |= EPOLLOUT;
  if (e.events == s->watched) return;
  epoll_ctl(loop, !s->watched ? EPOLL_CTL_ADD : e.events ? EPOLL_CTL_MOD : EPOLL_CTL_DEL, s->fd, &e);
  s->watched = e.events;
}
/* Sends what s holds and then the end that its other side has seen. */
static int flush(struct side *s) {
  while (s->held) {
    ssize_t n = drain(s);
    if (n < 0) return errno == EAGAIN ? 0 : -1;
    s->held -= n;
  }
  give_back(s);
  if (s->other->ended && !s->stopped) s->stopped = 1, shutdown(s->fd, SHUT_WR);
  return 0;
}
static int receive(struct side *s) {
  ssize_t n = fill(s->fd, s->other);
  if (n < 0) return errno == EAGAIN ? 0 : -1;
  if (n == 0) s->ended = 1;
  s->other->held = n;
  return flush(s->other);
}
static struct sockaddr_in loopback(const char *port) {
  return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(atoi(port)), .sin_addr = {htonl(INADDR_LOOPBACK)}};
}
static void accept_one(int listening, struct sockaddr_in *to) {
  int on = 1, in = accept(listening, 0, 0), out = socket(AF_INET, SOCK_STREAM, 0);
  if (in < 0 || out < 0 || connect(out, (void *)to, sizeof *to)) { close(in), close(out); return; }
  setsockopt(in, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(out, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct side *pair = calloc(2, sizeof *pair);
  pair[0].fd = in, pair[1].fd = out, pair[0].other = pair + 1, pair[1].other = pair;
  watch(pair), watch(pair + 1);
}
int main(int argc, char **argv) {
  if (argc != 3) return 2;
  struct sockaddr_in at = loopback(argv[1]), to = loopback(argv[2]);
  int on = 1, listening = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listening, (void *)&at, sizeof at) || listen(listening, 4096)) return 1;
  struct epoll_event events[256] = {{.events = EPOLLIN}};
  loop = epoll_create1(0);
  epoll_ctl(loop, EPOLL_CTL_ADD, listening, events);
  for (;;) {
    struct side *dead[256];
    int n = epoll_wait(loop, events, 256, -1), gone = 0, failed;
    for (int i = 0; i < n; i++) {
      struct side *s = events[i].data.ptr;
      unsigned what = events[i].events;
      if (!s) { accept_one(listening, &to); continue; }
      if (s->fd < 0) continue;
      failed = what & EPOLLERR ? -1 : what & EPOLLOUT ? flush(s) : 0;
      if (!failed && what & (EPOLLIN | EPOLLHUP) && !s->ended && !s->other->held) failed = receive(s);
      if (!failed && !(s->stopped && s->other->stopped)) { watch(s), watch(s->other); continue; }
      struct linger reset = {1, 0};
      if (failed) setsockopt(s->other->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
      give_back(s), give_back(s->other);
      close(s->fd), close(s->other->fd), s->fd = s->other->fd = -1;
      dead[gone++] = s < s->other ? s : s->other;
    }
    while (gone) free(dead[--gone]); /* only now: later events of this round may name them */
  }
}
