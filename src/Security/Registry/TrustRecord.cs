namespace Raven.Security.Registry;

/// <summary>One record as it is stored.</summary>
/// <param name="Key">Its key, ASCII: <c>certificates/</c> with a digest, or <c>keys/</c> with an id.</param>
/// <param name="Json">The record; null removes it.</param>
public sealed record TrustRecord(string Key, byte[]? Json);
