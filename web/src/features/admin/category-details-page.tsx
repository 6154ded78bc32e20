import * as paths from '@lendtools/contracts/pages';
import { Skeleton } from '@mantine/core';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { useCategoriesQuery } from '../../api/categories-api.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorState } from '../../ui/page-states.tsx';
import { toastSuccess } from '../../ui/toast.ts';
import { useUpdateCategoryMutation } from './admin-api.ts';
import { CategoryForm } from './category-form.tsx';

const unknown = { data: { message: 'There is no such category.' } };

export default function CategoryDetailsPage() {
  const [search] = useSearchParams();
  const { data: categories, error, refetch } = useCategoriesQuery();
  const [updateCategory] = useUpdateCategoryMutation();
  const navigate = useNavigate();
  const category = categories?.find(({ id }) => id === search.get('id'));
  const save = async (form: FormData) => {
    if (!category) return unknown;
    const { data, error: rejection } = await updateCategory({ id: category.id, form });
    if (!data) return rejection;
    toastSuccess(data.message);
    await navigate(paths.categories);
  };
  return (
    <>
      <PageHeader
        title="Update Rental Category"
        back={{ to: paths.categories, label: 'All Rental Categories' }}
      />
      {category && (
        <CategoryForm
          key={category.id}
          category={category}
          submitLabel="Update Rental Category"
          onSave={save}
        />
      )}
      {!category && (error || categories) && (
        <ErrorState error={error ?? unknown} onRetry={error ? () => void refetch() : undefined} />
      )}
      {!category && !error && !categories && <Skeleton h={300} maw={420} />}
    </>
  );
}
