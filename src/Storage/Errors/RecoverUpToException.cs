namespace Raven.Storage.Errors;

/// <summary>
/// An environment cannot be recovered up to the transaction that was asked for: its files have already more, or do not
/// have it. No journal was given up.
/// </summary>
public sealed class RecoverUpToException : Exception
{
    /// <summary>Reports what there is.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="wanted">The transaction that was asked for.</param>
    /// <param name="found">Where the data file, or the journal, ends.</param>
    public RecoverUpToException(string folder, long wanted, long found)
        : base(
            found > wanted
                ? $"{folder}: the data file is that of transaction {found}; it cannot be brought back to {wanted}."
                : $"{folder}: the journal ends with transaction {found}, and {wanted} was to be recovered.")
    {
        Wanted = wanted;
        Found = found;
    }

    /// <summary>The transaction that was asked for.</summary>
    public long Wanted { get; }

    /// <summary>Where the data file, or the journal, ends.</summary>
    public long Found { get; }
}
