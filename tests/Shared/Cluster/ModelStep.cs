namespace Shared.Cluster;

/// <summary>What leads from one state of the model to the next; in a trace the node stands behind it.</summary>
internal enum ModelStep
{
    Init,
    Restart,
    Crash,
    LoseLast,
    Takeover,
    Append,
    Commit,
    Shrink,
    ShrinkInMemory,
    AskToAdd,
    Add,
    Learn,
    StepDown,
    Hello,
    Receive,
    HandOver,
}
