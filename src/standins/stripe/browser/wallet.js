// The express checkout element: a button for the one wallet there is, which pays with a test card.
import { amountOf, ask } from './dialog.js';
import { createEmitter } from './emitter.js';
import { IntegrationError } from './errors.js';
import { WALLET_SHEET } from './styles.js';

const TYPE = 'expressCheckout';
/** A page that takes longer to answer a press has lost it, as at Stripe. */
const ANSWER_LIMIT_MS = 1_000;

/**
 * `readGroup` answers the options of `stripe.elements()` as they are now, `note` is told what the customer decided.
 * @param {() => { mode?: string, amount?: number, currency?: string }} readGroup
 * @param {(isConfirmed: boolean) => void} note
 * @param {() => void} onDestroy
 */
export function createWalletElement(readGroup, note, onDestroy) {
  const { mode, amount: first, currency } = readGroup();
  if (mode !== 'payment' || first === undefined || currency === undefined) {
    throw new IntegrationError('The Express Checkout Element needs elements with a mode, an amount and a currency.');
  }
  const { tell, on, off, clear } = createEmitter();
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [WALLET_SHEET];
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Buy with the test wallet';
  // A wallet says itself when nothing came of what its customer confirmed.
  const said = document.createElement('p');
  said.role = 'status';
  root.append(button, said);

  async function open() {
    const { amount = 0 } = readGroup();
    said.textContent = '';
    const question = {
      title: 'Test wallet',
      amount: `Payment of ${amountOf({ amount, currency: currency ?? 'usd' })}`,
      lines: ['Your phone or browser would now ask you to confirm.'],
      yes: 'Confirm',
      no: 'Cancel',
    };
    const isYes = await ask(question, async (answer) => answer);
    note(isYes);
    if (isYes)
      tell('confirm', {
        expressPaymentType: 'google_pay',
        billingDetails: {},
        paymentFailed() {
          note(false);
          said.textContent = 'Test wallet: the payment was not completed.';
        },
      });
    else tell('cancel', { elementType: TYPE });
  }

  button.addEventListener('click', () => {
    let isAnswered = false;
    const late = setTimeout(() => (isAnswered = true), ANSWER_LIMIT_MS);
    /** @param {() => void} then */
    const answer = (then) => {
      clearTimeout(late);
      if (isAnswered) return;
      isAnswered = true;
      then();
    };
    tell('click', {
      elementType: TYPE,
      expressPaymentType: 'google_pay',
      resolve: () => answer(() => void open()),
      reject: () => answer(() => {}),
    });
  });

  const element = {
    _elementType: TYPE,
    /** @param {HTMLElement} target */
    mount(target) {
      target.replaceChildren(host);
      setTimeout(() => tell('ready', { elementType: TYPE, availablePaymentMethods: { googlePay: true } }));
    },
    unmount: () => host.remove(),
    destroy() {
      clear();
      host.remove();
      onDestroy();
    },
    update: () => {},
    focus: () => button.focus(),
    blur: () => button.blur(),
    /** @param {string} type @param {import('./emitter.js').Listener} listener */
    on(type, listener) {
      on(type, listener);
      return element;
    },
    /** @param {string} type @param {import('./emitter.js').Listener} [listener] */
    off(type, listener) {
      off(type, listener);
      return element;
    },
  };
  return element;
}
