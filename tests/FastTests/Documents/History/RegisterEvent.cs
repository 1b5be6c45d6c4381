namespace FastTests.Documents.History;

/// <summary>What a client did to one document, which holds one number or is not there (0).</summary>
/// <param name="Began">When, by a counter that all clients share.</param>
/// <param name="Ended">When it was answered; <see cref="long.MaxValue"/> if it never was.</param>
/// <param name="Kind">What it was.</param>
/// <param name="Value">The number that it wrote, or that it read.</param>
/// <param name="Expected">The number that a compare-and-set expected.</param>
/// <param name="IsRefused">Whether a compare-and-set was answered that another number was stored.</param>
internal readonly record struct RegisterEvent(
    long Began, long Ended, RegisterEventKind Kind, long Value, long Expected = 0, bool IsRefused = false)
{
    /// <summary>True if it is unknown whether it happened.</summary>
    internal bool IsPending => Ended == long.MaxValue;

    /// <summary>What the document holds after it; false if it cannot have happened then.</summary>
    internal bool TryApply(long before, out long after)
    {
        after = before;
        switch (Kind)
        {
            case RegisterEventKind.Read:
                return before == Value;
            case RegisterEventKind.CompareAndSet when IsRefused:
                return before != Expected;
            case RegisterEventKind.CompareAndSet when before != Expected:
                return false;
            default:
                after = Value;
                return true;
        }
    }
}
