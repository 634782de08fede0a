import type { Cause } from '../model.ts';
import { companionCauses } from './companion.ts';
import { environmentCauses } from './environment.ts';
import { fileCauses } from './files.ts';
import { placeCauses } from './places.ts';
import { portCauses } from './ports.ts';
import { programCauses } from './program.ts';
import { settingsCauses } from './settings.ts';
import { workspaceCauses } from './workspace.ts';

/** In the order in which an agent comes across them: itself, its settings, the terminal, where it looks, what it finds. */
export const CAUSES: readonly Cause[] = [
  ...programCauses,
  ...settingsCauses,
  ...environmentCauses,
  ...placeCauses,
  ...companionCauses,
  ...workspaceCauses,
  ...fileCauses,
  ...portCauses,
];
