import { Stack, Text, TextInput, Title } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useProfileQuery, useUpdateAccountMutation } from '../../api/account-profile-api.ts';
import { fieldErrors } from '../../api/error-message.ts';
import { useUser } from '../../api/session-slice.ts';
import { PlaceFields } from '../../ui/fields/place-fields.tsx';
import { focusFirstError } from '../../ui/focus-first-error.ts';

/** Asks for the address of an owner who signed up without one, as part of the form of their first tool. */
export function useOwnerAddress() {
  const email = useUser()?.email;
  const { data: user, refetch } = useProfileQuery(email ?? skipToken);
  const [updateAccount] = useUpdateAccountMutation();
  const form = useForm({
    initialValues: { state: '', city: '', address: '' },
    validate: {
      state: isNotEmpty('Please enter your state'),
      city: isNotEmpty('Please enter your city'),
      address: isNotEmpty('Please enter your address'),
    },
  });
  const isMissing = user !== undefined && !user.address;

  /** Resolves to the error, or to undefined once the address is stored. */
  const save = async (): Promise<unknown> => {
    if (!isMissing) return;
    const body = new FormData();
    for (const [name, value] of Object.entries(form.values)) body.set(name, value);
    const { error } = await updateAccount({ user, form: body });
    form.setErrors(fieldErrors(error));
    return error;
  };
  const fields = isMissing && (
    <Stack gap="md" component="section" aria-labelledby="owner-address">
      <div>
        <Title order={2} fz="h4" id="owner-address">
          Your address
        </Title>
        <Text c="dimmed">
          Where renters pick up your tools. They see the street only once they have paid.
        </Text>
      </div>
      <PlaceFields
        state={form.values.state}
        city={form.values.city}
        onChange={form.setValues}
        errors={form.errors as { state?: string; city?: string }}
      />
      <TextInput
        label="Address"
        autoComplete="street-address"
        withAsterisk
        {...form.getInputProps('address')}
      />
    </Stack>
  );
  const isValid = () => {
    if (!isMissing) return true;
    const { errors, hasErrors } = form.validate();
    if (hasErrors) focusFirstError(form, errors);
    return !hasErrors;
  };
  return { fields, isValid, save, refetch };
}
