namespace Raven.Server.Diagnostics;

/// <summary>
/// Which server this is. Clients compare <see cref="Product"/> as a string and by its parts, so it is the version of
/// the HTTP API that is served, not of this program.
/// </summary>
internal static class ServerVersion
{
    internal const string HeaderName = "Raven-Server-Version";

    internal const string Product = "7.2.0";

    internal const string Short = "7.2";

    internal const int Build = 72000;

    internal static string Program { get; } = typeof(ServerVersion).Assembly.GetName().Version?.ToString(3) ?? "0.0.0";
}
