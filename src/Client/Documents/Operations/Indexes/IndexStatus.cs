namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Whether an index runs.</summary>
public sealed record IndexStatus
{
    /// <summary>Its name.</summary>
    public string Name { get; init => field = value ?? ""; } = "";

    /// <summary>Running, Paused or Disabled.</summary>
    public string Status { get; init => field = value ?? ""; } = "";
}
