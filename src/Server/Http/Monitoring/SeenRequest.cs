namespace Raven.Server.Http.Monitoring;

/// <summary>A request that has ended, for those who watch the traffic.</summary>
/// <param name="At">When it ended.</param>
/// <param name="Id">Its id.</param>
/// <param name="Method">Its method.</param>
/// <param name="Milliseconds">How long it took.</param>
/// <param name="Status">The status it was answered with.</param>
/// <param name="Path">Its path, without the query: that may hold values.</param>
/// <param name="Database">The database that it was for; or empty.</param>
/// <param name="Detail">The script or the text of its query; or empty.</param>
/// <param name="Address">The address that it came from; or empty.</param>
/// <param name="Caller">The name of who sent it; or empty.</param>
internal sealed record SeenRequest(
    DateTimeOffset At, string Id, string Method, double Milliseconds, int Status, string Path, string Database,
    string Detail, string Address, string Caller);
