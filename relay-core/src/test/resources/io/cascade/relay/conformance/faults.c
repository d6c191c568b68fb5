/*
 * Put before libc (LD_PRELOAD), this makes the system calls of a relay's event loops on TCP
 * connections fail or fall short at random, as a kernel may at any time. Environment: FAULTS is a
 * list of NAME=PERMILLE, and FAULTS_WHEN the path of a file without which nothing is done. At its
 * end the process says how often something was done, and to which calls.
 *
 * The JDK looks functions of the system up in libc itself (java.lang.foreign), past all that was put
 * before it: those that a relay calls so are handed to it where it asks for them, by dlsym.
 *
 *   short    fewer bytes are moved than were asked for
 *   again    EAGAIN; the poller will report the connection once more
 *   intr     EINTR
 *   nobufs   ENOBUFS from a write
 *   accept   EMFILE from accept and accept4
 *   socket   EMFILE from socket
 *   connect  ENOBUFS from connect
 *   late     connect takes some milliseconds, in which its event loop stands still
 *   shutdown ENOTCONN from shutdown
 *   pipe     EMFILE from pipe2
 *   resize   EPERM where a pipe is to be larger
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int rate_of(const char *name) {
  const char *faults = getenv("FAULTS");
  size_t length = strlen(name);
  while (faults && *faults) {
    if (strncmp(faults, name, length) == 0 && faults[length] == '=') {
      return atoi(faults + length + 1);
    }
    faults = strchr(faults, ',');
    faults = faults ? faults + 1 : NULL;
  }
  return 0;
}

static int short_rate, again_rate, intr_rate, nobufs_rate, accept_rate, socket_rate, connect_rate;
static int late_rate, shutdown_rate, pipe_rate, resize_rate;
static const char *when;

__attribute__((constructor)) static void begin(void) {
  short_rate = rate_of("short");
  again_rate = rate_of("again");
  intr_rate = rate_of("intr");
  nobufs_rate = rate_of("nobufs");
  accept_rate = rate_of("accept");
  socket_rate = rate_of("socket");
  connect_rate = rate_of("connect");
  late_rate = rate_of("late");
  shutdown_rate = rate_of("shutdown");
  pipe_rate = rate_of("pipe");
  resize_rate = rate_of("resize");
  when = getenv("FAULTS_WHEN");
}

enum call { RECEIVE, SEND, SPLICE, ACCEPT, SOCKET, CONNECT, SHUTDOWN, PIPE, RESIZE, CALLS };
static const char *const names[CALLS] = {"receive", "send",     "splice", "accept", "socket",
                                         "connect", "shutdown", "pipe",   "resize"};
static int made[CALLS];

__attribute__((destructor)) static void tell(void) {
  int all = 0;
  for (int call = 0; call < CALLS; call++) {
    int number = __atomic_load_n(&made[call], __ATOMIC_RELAXED);
    all += number;
    if (number) fprintf(stderr, "faults of %s: %d\n", names[call], number);
  }
  fprintf(stderr, "faults made: %d\n", all);
}

static __thread uint64_t dice;
static __thread int loop_thread; /* 0 unknown, 1 yes, -1 no */

static uint64_t roll(void) {
  if (dice == 0) dice = 88172645463325252ull ^ (uint64_t)(uintptr_t)&dice;
  dice ^= dice << 13;
  dice ^= dice >> 7;
  dice ^= dice << 17;
  return dice;
}

static int on(void) {
  if (loop_thread == 0) {
    char name[17] = "";
    prctl(PR_GET_NAME, name);
    loop_thread = strncmp(name, "cascade-loop", 12) == 0 ? 1 : -1;
  }
  if (loop_thread < 0) return 0;
  int kept = errno;
  int yes = when == NULL || access(when, F_OK) == 0;
  errno = kept;
  return yes;
}

static int chance(enum call call, int permille) {
  int yes = permille > 0 && (int)(roll() % 1000) < permille;
  if (yes) __atomic_add_fetch(&made[call], 1, __ATOMIC_RELAXED);
  return yes;
}

static int connection(int fd) {
  int kept = errno, type = 0, domain = 0;
  socklen_t length = sizeof type;
  int yes = getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM;
  length = sizeof domain;
  yes = yes && getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 &&
        (domain == AF_INET || domain == AF_INET6);
  errno = kept;
  return yes;
}

/* Answers an errno, or 0; may make *length smaller. */
static int trouble(enum call call, int fd, size_t *length, int writing) {
  if (!on() || !connection(fd)) return 0;
  if (chance(call, intr_rate)) return EINTR;
  if (chance(call, again_rate)) return EAGAIN;
  if (writing && chance(call, nobufs_rate)) return ENOBUFS;
  if (*length > 1 && chance(call, short_rate)) {
    size_t most = roll() % 2 ? *length : (*length < 16 ? *length : 16);
    *length = 1 + roll() % most;
  }
  return 0;
}

#define REAL(result, name, ...)                                              \
  static result (*real)(__VA_ARGS__);                                        \
  if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

#define FAIL(number)  \
  do {                \
    errno = (number); \
    return -1;        \
  } while (0)

ssize_t read(int fd, void *to, size_t length) {
  REAL(ssize_t, read, int, void *, size_t);
  int failure = length ? trouble(RECEIVE, fd, &length, 0) : 0;
  if (failure) FAIL(failure);
  return real(fd, to, length);
}

ssize_t recv(int fd, void *to, size_t length, int flags) {
  REAL(ssize_t, recv, int, void *, size_t, int);
  int failure = length ? trouble(RECEIVE, fd, &length, 0) : 0;
  if (failure) FAIL(failure);
  return real(fd, to, length, flags);
}

ssize_t write(int fd, const void *from, size_t length) {
  REAL(ssize_t, write, int, const void *, size_t);
  int failure = length ? trouble(SEND, fd, &length, 1) : 0;
  if (failure) FAIL(failure);
  return real(fd, from, length);
}

ssize_t send(int fd, const void *from, size_t length, int flags) {
  REAL(ssize_t, send, int, const void *, size_t, int);
  int failure = length ? trouble(SEND, fd, &length, 1) : 0;
  if (failure) FAIL(failure);
  return real(fd, from, length, flags);
}

/* Only the first part, or some of it, where the call is to fall short. */
ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(ssize_t, writev, int, const struct iovec *, int);
  size_t length = count > 0 ? parts[0].iov_len : 0;
  size_t whole = length;
  int failure = length ? trouble(SEND, fd, &length, 1) : 0;
  if (failure) FAIL(failure);
  if (length < whole) {
    struct iovec one = {parts[0].iov_base, length};
    return real(fd, &one, 1);
  }
  return real(fd, parts, count);
}

ssize_t readv(int fd, const struct iovec *parts, int count) {
  REAL(ssize_t, readv, int, const struct iovec *, int);
  size_t length = count > 0 ? parts[0].iov_len : 0;
  size_t whole = length;
  int failure = length ? trouble(RECEIVE, fd, &length, 0) : 0;
  if (failure) FAIL(failure);
  if (length < whole) {
    struct iovec one = {parts[0].iov_base, length};
    return real(fd, &one, 1);
  }
  return real(fd, parts, count);
}

ssize_t splice(int in, off64_t *in_at, int out, off64_t *out_at, size_t length, unsigned flags) {
  REAL(ssize_t, splice, int, off64_t *, int, off64_t *, size_t, unsigned);
  int writing = connection(out);
  int failure = length ? trouble(SPLICE, writing ? out : in, &length, writing) : 0;
  if (failure) FAIL(failure);
  return real(in, in_at, out, out_at, length, flags);
}

int accept4(int fd, struct sockaddr *from, socklen_t *length, int flags) {
  REAL(int, accept4, int, struct sockaddr *, socklen_t *, int);
  if (on() && chance(ACCEPT, accept_rate)) FAIL(EMFILE);
  return real(fd, from, length, flags);
}

int accept(int fd, struct sockaddr *from, socklen_t *length) {
  REAL(int, accept, int, struct sockaddr *, socklen_t *);
  if (on() && chance(ACCEPT, accept_rate)) FAIL(EMFILE);
  return real(fd, from, length);
}

int socket(int domain, int type, int protocol) {
  REAL(int, socket, int, int, int);
  if (on() && chance(SOCKET, socket_rate)) FAIL(EMFILE);
  return real(domain, type, protocol);
}

int connect(int fd, const struct sockaddr *to, socklen_t length) {
  REAL(int, connect, int, const struct sockaddr *, socklen_t);
  if (on() && connection(fd)) {
    if (chance(CONNECT, connect_rate)) FAIL(ENOBUFS);
    if (chance(CONNECT, late_rate)) usleep(1000 + roll() % 9000);
  }
  return real(fd, to, length);
}

int shutdown(int fd, int how) {
  REAL(int, shutdown, int, int);
  if (on() && connection(fd) && chance(SHUTDOWN, shutdown_rate)) FAIL(ENOTCONN);
  return real(fd, how);
}

int pipe2(int ends[2], int flags) {
  REAL(int, pipe2, int *, int);
  if (on() && chance(PIPE, pipe_rate)) FAIL(EMFILE);
  return real(ends, flags);
}

/* As relays call it: with a number. */
static int fcntl_of_number(int fd, int command, int number) {
  if (command == F_SETPIPE_SZ && on() && chance(RESIZE, resize_rate)) FAIL(EPERM);
  return fcntl(fd, command, number);
}

static void *found(const char *name) {
  if (strcmp(name, "splice") == 0) return (void *)splice;
  if (strcmp(name, "pipe2") == 0) return (void *)pipe2;
  if (strcmp(name, "fcntl") == 0) return (void *)fcntl_of_number;
  return NULL;
}

void *dlsym(void *handle, const char *name) {
  static void *(*real)(void *, const char *);
  static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
  for (int i = 0; !real && i < 3; i++) {
    real = (void *(*)(void *, const char *))dlvsym(RTLD_NEXT, "dlsym", versions[i]);
  }
  void *ours = handle == RTLD_NEXT ? NULL : found(name);
  return ours ? ours : real(handle, name);
}
