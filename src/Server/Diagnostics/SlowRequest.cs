namespace Raven.Server.Diagnostics;

/// <summary>A request that took long.</summary>
/// <param name="At">When it ended.</param>
/// <param name="Id">Its id, which is in the audit log, too.</param>
/// <param name="Method">Its method.</param>
/// <param name="Route">Its route, as it is declared; or empty.</param>
/// <param name="Path">Its path, without the query.</param>
/// <param name="Database">The database that it was for; or empty.</param>
/// <param name="Status">The status it was answered with.</param>
/// <param name="Milliseconds">How long it took.</param>
/// <param name="Detail">The script or the text of its query; or empty.</param>
/// <param name="Caller">The name of who sent it; or empty.</param>
internal sealed record SlowRequest(
    DateTimeOffset At, string Id, string Method, string Route, string Path, string Database, int Status,
    long Milliseconds, string Detail, string Caller);
