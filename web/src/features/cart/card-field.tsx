import { Input, useComputedColorScheme } from '@mantine/core';
import { CardElement } from '@stripe/react-stripe-js';
import { useMemo } from 'react';
import classes from './cart.module.css';

/** Passes the colors to Stripe's card form, which is in an iframe that our stylesheets don't reach. */
function useCardStyle() {
  const scheme = useComputedColorScheme('light');
  return useMemo(() => {
    const css = getComputedStyle(document.documentElement);
    const read = (name: string) => css.getPropertyValue(name).trim();
    return {
      // Stripe ignores this field; it makes the memo depend on the color scheme.
      scheme,
      base: {
        color: read('--ink'),
        iconColor: read('--mantine-color-dimmed'),
        fontFamily: 'Inter, system-ui, sans-serif',
        fontSize: '16px',
        '::placeholder': { color: read('--mantine-color-placeholder') },
      },
      invalid: {
        color: read('--mantine-color-error'),
        iconColor: read('--mantine-color-error'),
      },
    };
  }, [scheme]);
}

interface CardFieldProps {
  error: string;
  disabled: boolean;
  onChange: (problem: string) => void;
}

/** The card fields are in Stripe's iframe, so the card data never reaches this site. */
export function CardField({ error, disabled, onChange }: CardFieldProps) {
  const { scheme, ...style } = useCardStyle();
  return (
    <Input.Wrapper
      label="Card"
      labelElement="div"
      size="md"
      error={error || null}
      errorProps={{ mt: 6 }}
    >
      <div className={classes.card} data-problem={Boolean(error) || undefined} data-scheme={scheme}>
        <CardElement
          options={{ style, disabled }}
          onChange={(event) => onChange(event.error?.message ?? '')}
        />
      </div>
    </Input.Wrapper>
  );
}
