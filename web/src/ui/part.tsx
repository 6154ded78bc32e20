import { Button } from '@mantine/core';
import { Component, type ReactNode, Suspense } from 'react';
import classes from './part.module.css';

interface PartProps {
  children: ReactNode;
  waiting?: ReactNode;
}

/** Shows lazy content. If its code fails to load, offers a reload, because browsers cache the failed import. */
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
          <Button size="sm" flex="none" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </div>
      </>
    );
  }
}
