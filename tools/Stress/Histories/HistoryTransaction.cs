namespace Raven.Tools.Stress.Histories;

/// <summary>
/// A transaction over lists of numbers, as the client that sent it saw it. Each number is appended at most once in a
/// whole history, so whoever reads a list knows which transactions came before.
/// </summary>
public sealed record HistoryTransaction
{
    /// <summary>What it was, for people: <c>patch through B</c>.</summary>
    public required string What { get; init; }

    /// <summary>When it was sent, in ticks of the history's clock.</summary>
    public required long Began { get; init; }

    /// <summary>When it was answered; <see cref="long.MaxValue"/> if it is not known that it has ended.</summary>
    public required long Ended { get; init; }

    /// <summary>What is known of it.</summary>
    public required HistoryOutcome Outcome { get; init; }

    /// <summary>The lists as it found them if it was done, as it is done only then; others have read them so before.
    /// </summary>
    public IReadOnlyList<KeyValuePair<string, int[]>> Reads { get; init; } = [];

    /// <summary>What it appends, one number at most to each list.</summary>
    public IReadOnlyList<KeyValuePair<string, int>> Appends { get; init; } = [];

    /// <inheritdoc/>
    public override string ToString()
    {
        string ended = Ended == long.MaxValue ? "?" : $"{Ended / TimeSpan.TicksPerMillisecond}";
        IEnumerable<string> parts = Reads
            .Select(read => $"{read.Key} = [{Tail(read.Value)}]")
            .Concat(Appends.Select(append => $"{append.Key} += {append.Value}"));
        return $"({What}, {Began / TimeSpan.TicksPerMillisecond}..{ended} ms, {Outcome}: {string.Join(", ", parts)})";
    }

    private static string Tail(int[] list) => list.Length <= 4
        ? string.Join(' ', list)
        : $"{list.Length} numbers to {string.Join(' ', list[^3..])}";
}
