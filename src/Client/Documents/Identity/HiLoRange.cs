namespace Raven.Client.Documents.Identity;

/// <summary>Numbers that the server reserved, from low to high, both included. Immutable.</summary>
internal sealed record HiLoRange(
    string Prefix, long Low, long High, long Size, string? ServerTag, DateTime RangeAt);
