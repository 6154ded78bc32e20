import { isPhone, phoneError } from '@lendtools/contracts/phone';
import { Button, PasswordInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { isEmail, isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { errorCode, errorMessage, fieldErrors } from '../api/error-message.ts';
import { useCreateAccountMutation, useLoginMutation } from '../api/login-api.ts';
import { focusFirstError } from './focus-first-error.ts';
import { FormError } from './form-error.tsx';
import { toastSuccess } from './toast.ts';

const nobody = { first_name: '', last_name: '', email: '', phone: '', password: '' };
type Values = typeof nobody;

function toFormData(values: Values): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(values)) body.set(name, value);
  body.set('user_name', values.first_name);
  return body;
}

/** @param onKnown called with the reason when the user must log in instead: the email is taken, or the login after the sign-up failed */
export function useShortSignUp(onKnown: (reason: string) => void) {
  const [createAccount, creation] = useCreateAccountMutation();
  const [login, session] = useLoginMutation();
  const [failure, setFailure] = useState('');
  const form = useForm<Values>({
    initialValues: nobody,
    validate: {
      first_name: isNotEmpty('Please enter your first name'),
      last_name: isNotEmpty('Please enter your last name'),
      email: isEmail('Please enter a valid email'),
      phone: (phone) => (isPhone(phone) ? null : phoneError),
      password: (password) =>
        password.length < 8 ? 'Please choose a password of at least 8 characters' : null,
    },
  });
  const submit = form.onSubmit(
    async (values) => {
      setFailure('');
      const { error } = await createAccount(toFormData(values));
      if (errorCode(error) === 'EMAIL_TAKEN') return onKnown(errorMessage(error));
      if (error) {
        const errors = fieldErrors(error);
        form.setErrors(errors);
        focusFirstError(form, errors);
        const isPlaced = Object.keys(errors).some((name) => name in nobody);
        return setFailure(isPlaced ? '' : errorMessage(error));
      }
      const { email, password, first_name } = values;
      const { error: rejected } = await login({ email, password });
      if (rejected) return onKnown('Your account is ready. Please log in.');
      toastSuccess(`Welcome, ${first_name}!`);
    },
    (errors) => focusFirstError(form, errors),
  );
  return { form, submit, failure, isLoading: creation.isLoading || session.isLoading };
}

/** A sign-up without an address, which only an owner needs. */
export function ShortSignUp({
  form,
  submit,
  failure,
  isLoading,
}: ReturnType<typeof useShortSignUp>) {
  const field = (name: keyof Values) => ({ ...form.getInputProps(name), withAsterisk: true });
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="md">
        <SimpleGrid cols={2} spacing="sm">
          <TextInput
            {...field('first_name')}
            label="First name"
            autoComplete="given-name"
            data-autofocus
          />
          <TextInput {...field('last_name')} label="Last name" autoComplete="family-name" />
        </SimpleGrid>
        <TextInput
          {...field('email')}
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="email"
        />
        <TextInput {...field('phone')} label="Phone" type="tel" autoComplete="tel" />
        <PasswordInput
          {...field('password')}
          label="Password"
          description="At least 8 characters. A few words in a row are easy to remember."
          autoComplete="new-password"
        />
        <FormError>{failure}</FormError>
        <Button type="submit" size="lg" disabled={isLoading} aria-busy={isLoading}>
          {isLoading ? '...creating account' : 'Create An Account'}
        </Button>
        <Text size="sm" c="dimmed" ta="center">
          Your email and phone are never shown to other users.
        </Text>
      </Stack>
    </form>
  );
}
