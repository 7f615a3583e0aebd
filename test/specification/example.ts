// Read by specification.test.ts as a file of tests would be, and never run.
import { describe, it, test } from 'vitest';

describe('an example', () => {
  test('is found', () => {});
  it.each([['one', { name: 'many' }]])('%s of $name is found', () => {});
  test.skip('is skipped', () => {});
  test.todo('is a task');
});
