import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';

/** In the place of a form: there is nothing left to book. */
export const SoldNotice = ({ onClose }: { onClose: () => void }) => (
  <Notice
    title="This copy is sold"
    action={
      <Button look="secondary" onClick={onClose}>
        Look for another
      </Button>
    }
  >
    Another reader has bought it.
  </Notice>
);
