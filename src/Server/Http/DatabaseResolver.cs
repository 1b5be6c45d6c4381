using Raven.Documents;

namespace Raven.Server.Http;

/// <summary>Finds the database of a path, or answers why it cannot be used.</summary>
internal static class DatabaseResolver
{
    private const string MissingHeader = "Database-Missing";

    /// <summary>The database that the first capture names.</summary>
    /// <returns>Null if there is none; the answer is written then.</returns>
    internal static Database? Open(RequestContext request)
    {
        ReadOnlySpan<char> name = request.Capture(0);
        if (request.Server.Databases.TryGet(name, out Database? database))
        {
            if (!database.IsDisabled || request.Route!.Path.EndsWith("/admin/record", StringComparison.Ordinal))
            {
                return database;
            }

            ErrorResponse.Write(
                request, 503, ErrorType.DatabaseDisabled, $"Database '{database.Name}' is disabled.");
            return null;
        }

        if (request.Server.Databases.Restores.Has(name.ToString()))
        {
            ErrorResponse.Write(
                request, 503, ErrorType.DatabaseRestoring, $"Database '{name}' is being restored.");
            return null;
        }

        AnswerMissing(request, name.ToString());
        return null;
    }

    /// <summary>
    /// Answers that a database is missing, by 503 with this header: clients take a 404 for an empty result.
    /// </summary>
    internal static void AnswerMissing(RequestContext request, string name)
    {
        if (!request.Response.HasStarted)
        {
            // A header holds ASCII; a name that is not ASCII cannot be that of a database.
            request.Response.Headers[MissingHeader] =
                string.Concat(name.Select(c => c is > ' ' and < '\x7F' ? c : '?'));
        }

        ErrorResponse.Write(request, 503, ErrorType.DatabaseMissing, $"Database '{name}' does not exist.");
    }
}
