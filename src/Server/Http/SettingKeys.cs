using System.Text.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Settings;
using Raven.Server.Options;

namespace Raven.Server.Http;

/// <summary>
/// Which settings a database may be given. What belongs to the server (its options, paths, programs, whom it trusts) is
/// set in its own configuration and nowhere else: whoever may change one database must not reach the others by it.
/// </summary>
internal static class SettingKeys
{
    /// <summary>The categories of settings that clients know for a single database. What is not used is kept.</summary>
    private static readonly string[] Categories =
    [
        "Ai", "Backup", "Databases", "ETL", "Indexing", "Notifications", "Patching", "PerformanceHints", "Query",
        "QueueSink", "Replication", "Revisions", "Sharding", "Storage", "Subscriptions", "Tombstones",
        "TransactionMerger",
    ];

    private static readonly string[] OfServer = ["Security", "Logs"];

    private static readonly string[] Paths = ["Path", "Dir", "Directory", "Folder"];

    /// <summary>Checks the settings that an administrator of a database gives it.</summary>
    /// <param name="settings">An object, JSON.</param>
    /// <exception cref="BadRequestException">One of them is none of a database.</exception>
    internal static void Check(byte[] settings)
    {
        using JsonDocument json = StoredJson.Parse(settings);
        foreach (JsonProperty setting in json.RootElement.EnumerateObject())
        {
            CheckOwn(setting.Name);
            if (OptionTable.Find(setting.Name) != null)
            {
                throw OfTheServer(setting.Name);
            }

            string category = setting.Name.Split('.')[0];
            if (category.Length == setting.Name.Length
                || !Categories.Contains(category, StringComparer.OrdinalIgnoreCase))
            {
                throw new BadRequestException(
                    400, ErrorType.Argument,
                    $"There is no setting '{setting.Name}' of a database. The names of settings begin with "
                    + $"{string.Join("., ", Categories)}.");
            }
        }
    }

    /// <summary>Whether a setting is of a kind that databases have, too.</summary>
    internal static bool IsOfDatabases(string name) =>
        Categories.Contains(name.Split('.')[0], StringComparer.OrdinalIgnoreCase)
        && !Paths.Any(path => name.EndsWith(path, StringComparison.OrdinalIgnoreCase));

    /// <summary>Checks the settings in a record, which only an operator writes.</summary>
    /// <exception cref="BadRequestException">One of them is the server's.</exception>
    internal static void CheckOfRecord(BlittableObject settings)
    {
        for (int i = 0; i < settings.Count; i++)
        {
            CheckOwn(settings.GetProperty(i).GetName());
        }
    }

    private static void CheckOwn(string name)
    {
        string[] parts = name.Split('.');
        bool isOfServer = OfServer.Contains(parts[0], StringComparer.OrdinalIgnoreCase)
            || parts.Contains("Exec", StringComparer.OrdinalIgnoreCase)
            || Paths.Any(path => parts[^1].EndsWith(path, StringComparison.OrdinalIgnoreCase));
        if (isOfServer)
        {
            throw OfTheServer(name);
        }
    }

    private static BadRequestException OfTheServer(string name) => new(
        400, ErrorType.Argument,
        $"'{name}' is a setting of the server, not of a database: it is set in the server's configuration.");
}
