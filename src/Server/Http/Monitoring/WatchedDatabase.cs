using Raven.Documents;
using Raven.Documents.Monitoring;

namespace Raven.Server.Http.Monitoring;

/// <summary>A database as monitoring sees it.</summary>
/// <param name="Database">The database.</param>
/// <param name="Figures">Its figures; null if it is not open.</param>
internal sealed record WatchedDatabase(Database Database, DatabaseFigures? Figures)
{
    /// <summary>Its name.</summary>
    internal string Name => Database.Name;

    /// <summary>The series label of its name.</summary>
    internal string Label => MetricsText.Label("database", Name);

    /// <summary>Whether something is wrong with it.</summary>
    internal bool IsFaulted => (Database.Fault ?? Database.OpenStorage?.Environment.Damage?.Message
        ?? Database.OpenStorage?.Space.Refusal) != null;

    /// <summary>All databases by name, or some. None is opened.</summary>
    internal static List<WatchedDatabase> All(ServerState server, IReadOnlyCollection<string>? names = null)
    {
        List<WatchedDatabase> all = [];
        foreach (string name in server.Databases.Names())
        {
            if ((names == null || names.Contains(name, StringComparer.OrdinalIgnoreCase))
                && server.Databases.TryGet(name, out Database? database))
            {
                all.Add(new WatchedDatabase(database, DatabaseFigures.ReadIfOpen(database)));
            }
        }

        return all;
    }
}
