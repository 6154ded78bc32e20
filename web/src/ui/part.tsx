import { Button } from '@mantine/core';
import { Component, type ReactNode, Suspense } from 'react';
import classes from './part.module.css';

interface PartProps {
  children: ReactNode;
  waiting?: ReactNode;
}

/**
 * Wraps a lazily loaded part of a screen. If loading fails, the screen stays with everything typed in it, and a message offers
 * a reload: the browser caches the failed import, so only a new page can retry it.
 */
export class Part extends Component<PartProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    const { children, waiting } = this.props;
    if (!this.state.failed) return <Suspense fallback={waiting}>{children}</Suspense>;
    return (
      <>
        {waiting}
        <div role="alert" className={classes.failed}>
          <span>A part of this page didn’t load.</span>
          <Button size="sm" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </div>
      </>
    );
  }
}
