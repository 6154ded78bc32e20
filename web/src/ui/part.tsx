import { Button } from '@mantine/core';
import { Component, type ReactNode, Suspense } from 'react';
import classes from './part.module.css';

interface PartProps {
  children: ReactNode;
  /** What stands there until it has come. */
  waiting?: ReactNode;
}

/**
 * Around what is fetched apart from its screen. Where it can't be fetched the screen stays, with all that was typed, and
 * says how to go on: the browser remembers a failed file, so only a new page asks for it again.
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
