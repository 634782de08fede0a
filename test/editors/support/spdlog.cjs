// Stands for VS Code's native log writer, which nobody compiled: the same files, written one line at a time.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  constructor(_type, _name, path) {
    mkdirSync(dirname(path), { recursive: true });
    this.path = path;
    this.level = 2;
    this.plain = false;
  }

  write(level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    const head = this.plain ? '' : `${time} [${LEVELS[level]}] `;
    appendFileSync(this.path, `${head}${message}${this.plain ? '' : '\n'}`);
  }

  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  clearFormatters() {
    this.plain = true;
  }
  setPattern() {}
  flush() {}
  drop() {}
}
for (const [level, name] of LEVELS.entries()) {
  Logger.prototype[name] = function (message) {
    this.write(level, message);
  };
}

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = async (name, path) => new Logger('rotating', name, path);
exports.createAsyncRotatingLogger = exports.createRotatingLogger;
