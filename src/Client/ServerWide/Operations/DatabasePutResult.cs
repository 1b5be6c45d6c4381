namespace Raven.Client.ServerWide.Operations;

/// <summary>A database that was made.</summary>
/// <param name="Name">Its name.</param>
public sealed record DatabasePutResult(string Name);
