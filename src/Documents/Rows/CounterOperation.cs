using Raven.Blittable.Memory;

namespace Raven.Documents.Rows;

/// <summary>What is done to one counter, and its result. Its texts live in the context of its batch.</summary>
public struct CounterOperation
{
    /// <summary>What to do.</summary>
    public required CounterOperationKind Kind { get; set; }

    /// <summary>The counter's name, UTF-8.</summary>
    public required NativeSlice Name { get; set; }

    /// <summary>The counter's key.</summary>
    internal NativeSlice Key;

    /// <summary>An increment: by how much. A put: the value.</summary>
    public long Delta { get; set; }

    /// <summary>The value after it.</summary>
    public long Value { get; internal set; }

    /// <summary>The counter's version after it, UTF-8; empty if there is none.</summary>
    public NativeSlice ChangeVector { get; internal set; }

    /// <summary>Whether there is a counter after it.</summary>
    public bool Exists { get; internal set; }

    /// <summary>Whether it made the counter.</summary>
    internal bool IsNew;

    /// <summary>A deletion: whether there was one.</summary>
    internal bool WasDeleted;
}
