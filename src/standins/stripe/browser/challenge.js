// The bank's question: a dialog that stands for the page a bank would show.
import { amountOf, ask } from './dialog.js';

/**
 * Shows the dialog and sends the customer's answer on. Escape answers like Fail: so does leaving a bank's page.
 * @template Result
 * @param {{ amount: number, currency: string }} intent
 * @param {(outcome: 'complete' | 'fail') => Promise<Result>} send
 * @returns {Promise<Result>}
 */
export function askCustomer(intent, send) {
  const question = {
    title: '3D Secure 2 Test Page',
    amount: `Payment of ${amountOf(intent)}`,
    lines: ['Your bank would now ask whether it is you who is paying.'],
    yes: 'Complete',
    no: 'Fail',
  };
  return ask(question, (isYes) => send(isYes ? 'complete' : 'fail'));
}
