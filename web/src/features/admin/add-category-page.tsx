import * as paths from '@lendtools/contracts/pages';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { randomId } from '../../lib/random-id.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { toastSuccess } from '../../ui/toast.ts';
import { useAddCategoryMutation } from './admin-api.ts';
import { CategoryForm } from './category-form.tsx';

export default function AddCategoryPage() {
  const [addCategory] = useAddCategoryMutation();
  const [key, setKey] = useState(randomId);
  const navigate = useNavigate();
  const save = async (form: FormData) => {
    const { data, error } = await addCategory({ form, idempotencyKey: key });
    if (!data) {
      // After an error reply, the next attempt needs a new idempotency key; after a lost reply, the old one.
      if ('status' in error && typeof error.status === 'number') setKey(randomId());
      return error;
    }
    toastSuccess(data.message);
    await navigate(paths.categories);
  };
  return (
    <>
      <PageHeader
        title="Add rental Category"
        back={{ to: paths.categories, label: 'All Rental Categories' }}
      />
      <CategoryForm category={null} submitLabel="Add rental Category" onSave={save} />
    </>
  );
}
