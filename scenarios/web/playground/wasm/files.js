// The files that an instance sees: a few in memory, since upstream reads the keys of its signers from files. All of them go with the
// instance. Answers come after the call has returned, as those of node's fs do: a call waits in the bubble of the simulation, and an
// answer within it would be one of the bubble to itself.
const error = (code) => Object.assign(new Error(code), { code });

// filesOf makes an fs object for Go. written is called with the bytes that go to standard output and standard error.
export function filesOf(written) {
  const directory = () => ({ mode: 0o40700, bytes: null });
  const nodes = new Map([
    ["/", directory()],
    ["/tmp", directory()],
  ]);
  const open = new Map();
  let next = 3;

  const node = (path) => nodes.get(path) || fail("ENOENT");
  const opened = (fd) => open.get(fd) || fail("EBADF");
  const fail = (code) => {
    throw error(code);
  };
  const parent = (path) => node(path.slice(0, path.lastIndexOf("/")) || "/");
  const stat = ({ mode, bytes }) => ({
    ...{ mode, size: bytes ? bytes.length : 0, dev: 0, ino: 0, nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: 4096, blocks: 0 },
    ...{ atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => !bytes },
  });
  const inside = (path) => [...nodes.keys()].filter((name) => name !== path && name.startsWith(path + "/"));
  const remove = (path) => (node(path), nodes.delete(path), undefined);
  const constants = {
    O_RDONLY: 0,
    O_WRONLY: 1,
    O_RDWR: 2,
    O_CREAT: 64,
    O_EXCL: 128,
    O_TRUNC: 512,
    O_APPEND: 1024,
    O_DIRECTORY: 65536,
  };

  const calls = {
    stat: (path) => stat(node(path)),
    lstat: (path) => stat(node(path)),
    fstat: (fd) => stat(opened(fd).node),
    mkdir: (path) => {
      if (nodes.has(path)) fail("EEXIST");
      parent(path);
      nodes.set(path, directory());
    },
    open: (path, flags) => {
      if (!nodes.has(path) && flags & constants.O_CREAT) {
        parent(path);
        nodes.set(path, { mode: 0o100600, bytes: new Uint8Array() });
      } else if (nodes.has(path) && flags & constants.O_EXCL) fail("EEXIST");
      const found = node(path);
      if (flags & constants.O_TRUNC) found.bytes = new Uint8Array();
      open.set(next, { node: found, at: 0 });
      return next++;
    },
    close: (fd) => (opened(fd), open.delete(fd), undefined),
    read: (fd, into, offset, length, position) => {
      const file = opened(fd),
        at = position ?? file.at,
        part = file.node.bytes.subarray(at, at + length);
      into.set(part, offset);
      if (position === null) file.at += part.length;
      return part.length;
    },
    write: (fd, from, offset, length, position) => {
      const bytes = from.slice(offset, offset + length);
      if (fd === 1 || fd === 2) return (written(bytes), length);
      const file = opened(fd),
        at = position ?? file.at,
        all = new Uint8Array(Math.max(file.node.bytes.length, at + length));
      all.set(file.node.bytes);
      all.set(bytes, at);
      file.node.bytes = all;
      if (position === null) file.at += length;
      return length;
    },
    readdir: (path) => (
      node(path),
      inside(path)
        .map((name) => name.slice(path.length + 1))
        .filter((name) => !name.includes("/"))
    ),
    unlink: (path) => (node(path).bytes ? remove(path) : fail("EISDIR")),
    rmdir: (path) => (node(path).bytes ? fail("ENOTDIR") : inside(path).length ? fail("ENOTEMPTY") : remove(path)),
    fsync: () => undefined,
  };
  const answered =
    (call) =>
    (...args) => {
      const answer = args.pop();
      let failure = null,
        value;
      try {
        value = call(...args);
      } catch (e) {
        failure = e.code ? e : error("EIO");
      }
      queueMicrotask(() => answer(failure, value));
    };
  const absent = "chmod chown fchmod fchown ftruncate lchown link readlink rename symlink truncate utimes".split(" ");
  const fs = { constants, writeSync: (_, bytes) => (written(bytes), bytes.length) };
  for (const name of absent) fs[name] = answered(() => fail("ENOSYS"));
  for (const [name, call] of Object.entries(calls)) fs[name] = answered(call);
  return fs;
}
