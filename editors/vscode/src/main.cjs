// VS Code loads extensions with require; the extension itself is made of modules.
let extension;

exports.activate = async (context) => {
  extension = await import('./extension.mjs');
  return extension.activate(context);
};

exports.deactivate = () => extension?.deactivate();
