import { IconHeart, IconHeartFilled } from '@tabler/icons-react';
import { errorMessage } from '../../api/error-message.ts';
import {
  useSavedToolIdsQuery,
  useSaveToolMutation,
  useUnsaveToolMutation,
} from '../../api/saved-tools-api.ts';
import { useUser } from '../../api/session-slice.ts';
import { toastError } from '../toast.ts';
import classes from './save-button.module.css';

interface SaveButtonProps {
  tool: { id: string; name: string };
  /** If false, only the heart is shown, over the picture of a card. */
  withLabel?: boolean;
}

/** Fills the heart at once, and empties it again if the request fails. */
export default function SaveButton({ tool, withLabel = false }: SaveButtonProps) {
  const userId = useUser()?.id ?? '';
  const { data: ids } = useSavedToolIdsQuery(userId, { skip: !userId });
  const [save] = useSaveToolMutation();
  const [unsave] = useUnsaveToolMutation();
  const isSaved = ids?.includes(tool.id) ?? false;
  const change = isSaved ? unsave : save;
  const Heart = isSaved ? IconHeartFilled : IconHeart;
  return (
    <button
      type="button"
      className={`${classes.button} ${withLabel ? classes.labelled : classes.corner}`}
      disabled={!ids}
      aria-pressed={isSaved}
      aria-label={`Save ${tool.name}`}
      onClick={() =>
        void change({ userId, id: tool.id })
          .unwrap()
          .catch((error: unknown) => toastError(errorMessage(error)))
      }
    >
      <span className={classes.disc}>
        <Heart size={20} stroke={1.8} aria-hidden />
      </span>
      {withLabel && 'Save'}
    </button>
  );
}
