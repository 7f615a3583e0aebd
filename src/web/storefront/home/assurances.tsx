/** What protects a buyer, in a line each; the questions below say the rest. */
export const Assurances = () => (
  <section className="page py-4" aria-label="What protects a buyer">
    <ul className="assurances">
      <li>
        <b>Your money back</b> if a book does not come, or is not as described
      </li>
      <li>
        <b>Held for you alone</b> from Book Now on, while you pay
      </li>
      <li>
        <b>No fee for buyers</b> only the price, and postage where a book is posted
      </li>
    </ul>
  </section>
);
