import { useState } from 'react';
import { useRouteLoaderData } from 'react-router';
import { messageOf } from '#web/api/api-error.ts';
import { askForPeople } from '#web/api/demo.ts';
import { useHydrated } from '#web/shell/data/use-hydrated.ts';
import type { Form } from '#web/shell/forms/use-form.ts';
import type { RootData } from '#web/shell/layout/page-meta.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/states.tsx';

const LABELS = ['Buyer', 'Seller', 'Admin'] as const;

const fill = (form: HTMLFormElement, name: string, value: string): void => {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.value = value;
};

/**
 * In a demo: one press for each of its people, which fills the sign-in form and sends it. Their passwords are asked for
 * when one is pressed, and a shop that is no demo answers nothing.
 */
export const DemoPeople = ({ form }: { form: Form<'email' | 'password'> }) => {
  const isDemo = useRouteLoaderData<RootData>('root')?.demo === true;
  const hydrated = useHydrated();
  const [failure, setFailure] = useState<string>();
  if (!isDemo) return null;
  const press = async (label: string): Promise<void> => {
    const { ref } = form.props;
    setFailure(undefined);
    try {
      const person = (await askForPeople()).find((one) => one.label === label);
      const element = typeof ref === 'object' ? ref?.current : undefined;
      if (element == null || person === undefined) return;
      fill(element, 'email', person.email);
      fill(element, 'password', person.password);
      element.requestSubmit();
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  return (
    <section
      aria-label="Demo accounts"
      className="flex flex-col gap-3 rounded-box border border-base-300 bg-base-200 p-4"
    >
      <p className="text-sm text-muted">This is a demo shop: look at it as one of its people.</p>
      {failure !== undefined && <Notice tone="error">{failure}</Notice>}
      <div className="flex flex-col gap-2">
        {LABELS.map((label) => (
          <Button
            key={label}
            look="secondary"
            disabled={!hydrated || form.button.busy}
            onClick={() => void press(label)}
          >
            Sign in as Demo {label}
          </Button>
        ))}
      </div>
    </section>
  );
};
