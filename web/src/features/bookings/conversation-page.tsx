import type { Thread as Conversation, Tool } from '@lendtools/contracts';
import * as paths from '@lendtools/contracts/pages';
import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core';
import { IconMessageCircle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { errorStatus } from '../../api/error-message.ts';
import { useQuestionQuery } from '../../api/question-api.ts';
import { type SessionUser, useUser } from '../../api/session-slice.ts';
import { useToolQuery } from '../../api/tool-api.ts';
import { messageDraft, moveDraft, questionDraft } from '../../lib/use-draft.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-states.tsx';
import { Price } from '../../ui/price.tsx';
import { toastError, toastSuccess } from '../../ui/toast.ts';
import { ToolPicture } from '../../ui/tool/tool-picture.tsx';
import { AnswerActions } from './answer-actions.tsx';
import { AskForm } from './ask-form.tsx';
import classes from './conversation.module.css';
import { useConversationQuery } from './conversation-api.ts';
import { Thread } from './thread.tsx';
import { useFirstMessageQuery } from './thread-api.ts';

function ToolSummary({ tool }: { tool: Tool }) {
  return (
    <Link to={paths.ofId(paths.memberTool, tool.id)} className={classes.tool}>
      <ToolPicture tool={tool} className={classes.picture} sizes="320px" />
      <span className={classes.toolWords}>
        <Text component="span" fw={650} display="block">
          {tool.name}
        </Text>
        <Price amount={tool.price} circle={tool.rental_circle} fz="1rem" />
        <Text component="span" size="sm" c="dimmed" display="block">
          {tool.user.city}, {tool.user.state}
        </Text>
      </span>
    </Link>
  );
}

/** The tool that the conversation is about. It may be gone by now: the conversation stays. */
function AboutTool({ conversation }: { conversation: Conversation }) {
  const { toolId, toolName, as } = conversation;
  const { data: tool, error, refetch } = useToolQuery(toolId ?? '', { skip: !toolId });
  // A tool that is gone may still be in the cache.
  if (error && isMissing(error)) return <Text c="dimmed">{toolName} is no longer listed.</Text>;
  if (tool) {
    return (
      <Stack gap="sm">
        <ToolSummary tool={tool} />
        {as === 'renter' && (
          <Button component={Link} to={paths.ofId(paths.memberTool, tool.id)}>
            Choose dates
          </Button>
        )}
      </Stack>
    );
  }
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton h={180} />;
}

function Open({ conversation, user }: { conversation: Conversation; user: SessionUser }) {
  const { id, as, other, toolId, isClosed } = conversation;
  const { data: first } = useFirstMessageQuery(id);
  const name = other.first_name;
  return (
    <div className={classes.columns}>
      <Stack>
        <AboutTool conversation={conversation} />
        {as === 'owner' && toolId && first && !isClosed && (
          <AnswerActions toolId={toolId} messageId={first.id} userId={user.id} renter={name} />
        )}
      </Stack>
      <Thread
        bookingId={id}
        user={user}
        other={name}
        otherId={other.id}
        firstLabel={`Write to ${name}`}
        hint="question"
        toolId={toolId}
      />
    </div>
  );
}

function OpenConversation({ threadId, user }: { threadId: string; user: SessionUser }) {
  const { data, error, refetch } = useConversationQuery({ userId: user.id, threadId });
  // A booking continues the conversation on its own page.
  if (data?.bookingId) {
    const page = data.as === 'owner' ? paths.myBooking : paths.rental;
    return <Navigate to={`${paths.ofId(page, data.bookingId)}#messages`} replace />;
  }
  if (data) return <Open key={data.id} conversation={data} user={user} />;
  if (!error) return <Waiting />;
  return isMissing(error) ? (
    <Nothing />
  ) : (
    <ErrorState error={error} onRetry={() => void refetch()} />
  );
}

interface ExistingThreadProps {
  thread: Conversation;
  toolId: string;
  userId: string;
}

/** Leads to the thread about the tool that exists already, and moves there what was written but not sent. */
function ExistingThread({ thread: { id, isClosed }, toolId, userId }: ExistingThreadProps) {
  useEffect(() => {
    if (!moveDraft(questionDraft(userId, toolId), messageDraft(userId, id))) return;
    if (isClosed) toastError('Your question was not sent: this conversation is closed.');
    else toastSuccess('Your question isn’t sent yet: you can send it in this conversation.');
  }, [id, isClosed, toolId, userId]);
  return <Navigate to={paths.ofId(paths.conversation, id)} replace />;
}

function NewQuestion({ toolId, user }: { toolId: string; user: SessionUser }) {
  const tool = useToolQuery(toolId);
  const question = useQuestionQuery({ userId: user.id, toolId });
  if (question.data)
    return <ExistingThread thread={question.data} toolId={toolId} userId={user.id} />;
  if (tool.data?.userId === user.id)
    return <Navigate to={paths.ofId(paths.memberTool, toolId)} replace />;
  const error = tool.error ?? question.error;
  if (error) {
    const retry = () => {
      if (tool.error) void tool.refetch();
      if (question.error) void question.refetch();
    };
    return isMissing(error) ? <Nothing /> : <ErrorState error={error} onRetry={retry} />;
  }
  if (!tool.data || question.isLoading) return <Waiting />;
  return (
    <div className={classes.columns}>
      <ToolSummary tool={tool.data} />
      <AskForm tool={tool.data} userId={user.id} />
    </div>
  );
}

/** The API returns 400 for a malformed id. */
function isMissing(error: unknown) {
  const status = errorStatus(error);
  return status === 400 || status === 404;
}

function Nothing() {
  return (
    <EmptyState
      icon={IconMessageCircle}
      title="There is no such conversation"
      action={
        <Anchor component={Link} to={paths.messages}>
          See your messages
        </Anchor>
      }
    />
  );
}

function Waiting() {
  return (
    <div className={classes.columns} aria-busy>
      <Skeleton h={180} radius={16} />
      <Skeleton h={360} radius={16} />
    </div>
  );
}

export default function ConversationPage() {
  const user = useUser();
  const [params] = useSearchParams();
  const [threadId, toolId] = [params.get('id'), params.get('tool')];
  return (
    <>
      <PageHeader title="Conversation" back={{ to: paths.messages, label: 'Messages' }} />
      {user && threadId && <OpenConversation key={threadId} threadId={threadId} user={user} />}
      {user && !threadId && toolId && <NewQuestion key={toolId} toolId={toolId} user={user} />}
      {!threadId && !toolId && <Nothing />}
    </>
  );
}
