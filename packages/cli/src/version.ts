export { VERSION } from '@tandem/core';
