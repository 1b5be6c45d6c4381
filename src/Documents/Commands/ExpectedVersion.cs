namespace Raven.Documents.Commands;

/// <summary>What a command expects to find under its id: optimistic concurrency.</summary>
public readonly ref struct ExpectedVersion
{
    private ExpectedVersion(VersionCheck check, ReadOnlySpan<byte> changeVector)
    {
        Check = check;
        ChangeVector = changeVector;
    }

    /// <summary>No check: the last writer wins.</summary>
    public static ExpectedVersion Any => default;

    /// <summary>The document must not exist.</summary>
    internal static ExpectedVersion Missing => new(VersionCheck.MustNotExist, default);

    /// <summary>How to compare.</summary>
    public VersionCheck Check { get; }

    /// <summary>The version that must be there, UTF-8.</summary>
    public ReadOnlySpan<byte> ChangeVector { get; }

    /// <summary>The rule of the HTTP API: an empty text means "must not exist".</summary>
    /// <param name="changeVector">What the client sent, without quotes, UTF-8.</param>
    public static ExpectedVersion Of(ReadOnlySpan<byte> changeVector) =>
        changeVector.IsEmpty ? Missing : new ExpectedVersion(VersionCheck.MustEqual, changeVector);
}
