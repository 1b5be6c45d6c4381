namespace Raven.Server.Documents.Sweeps;

/// <summary>What is done to documents whose time has come.</summary>
internal enum SweepKind
{
    /// <summary>They are deleted: <c>@expires</c>.</summary>
    Expiration,

    /// <summary>They get a new version, and lose the mark: <c>@refresh</c>.</summary>
    Refresh,

    /// <summary>Compare-exchange values are removed: <c>@expires</c> in their metadata.</summary>
    CompareExchange,
}
