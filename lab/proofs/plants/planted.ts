import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Edit, Plant } from './plants.ts';

const projectRoot = path.join(import.meta.dirname, '../../..');
const COPIED = ['src', 'db', 'texts', 'build', 'package.json'];
const SHARED = ['node_modules'];

export interface PlantedTree {
  readonly tree: string;
  remove(): void;
}

const edited = (tree: string, [file, find, replace]: Edit): string => {
  const text = readFileSync(path.join(tree, file), 'utf8');
  const places = text.split(find).length - 1;
  if (places !== 1) throw new Error(`${file} has ${places} places instead of one with:\n${find}`);
  return text.replace(find, () => replace);
};

/** Throws when the code has changed so that a mistake cannot be planted any more. */
export const requireFits = (plant: Plant): void => {
  for (const edit of plant.edits) edited(projectRoot, edit);
};

/** A copy of the project with the mistake in it. */
export const plantedTree = (plant: Plant): PlantedTree => {
  const tree = mkdtempSync(path.join(tmpdir(), 'dogear-planted-'));
  const remove = (): void => rmSync(tree, { recursive: true, force: true });
  try {
    for (const part of COPIED) cpSync(path.join(projectRoot, part), path.join(tree, part), { recursive: true });
    for (const part of SHARED) symlinkSync(path.join(projectRoot, part), path.join(tree, part));
    for (const edit of plant.edits) writeFileSync(path.join(tree, edit[0]), edited(tree, edit));
    return { tree, remove };
  } catch (error) {
    remove();
    throw error;
  }
};
