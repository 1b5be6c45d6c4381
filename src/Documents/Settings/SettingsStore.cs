using System.Text.Json;
using Raven.Blittable.Memory;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Settings;

//   NAME      STRUCTURE  KEY                                          VALUE
//   Settings  Tree       "Revisions", "Expiration" or "Refresh"       JSON, as the client sent it
//                        "RevisionsForConflicts"                      the same: stored and returned, nothing more
//                        "ClientConfiguration"                        JSON: {"Etag", "Configuration"}
//                        "DataArchival", "RevisionsBin",
//                        "SchemaValidation"                           JSON, as the client sent it
//                        "UniqueConstraints"                          JSON, as the client sent it (UniqueStates)
//                        "TimeSeries"                                 JSON, complete (TimeSeriesConfigurationJson)

/// <summary>The stored settings of a database.</summary>
public static class SettingsStore
{
    public const string Revisions = nameof(Revisions);
    public const string Expiration = nameof(Expiration);
    public const string Refresh = nameof(Refresh);
    public const string RevisionsForConflicts = nameof(RevisionsForConflicts);
    public const string ClientConfiguration = nameof(ClientConfiguration);
    public const string DataArchival = nameof(DataArchival);
    public const string RevisionsBin = nameof(RevisionsBin);
    public const string UniqueConstraints = nameof(UniqueConstraints);
    public const string SchemaValidation = nameof(SchemaValidation);
    public const string TimeSeries = nameof(TimeSeries);

    internal static ReadOnlySpan<byte> TreeName => "Settings"u8;

    /// <summary>The text of a setting, or null.</summary>
    public static byte[]? Read(Transaction transaction, string name)
    {
        Span<byte> key = stackalloc byte[name.Length];
        System.Text.Encoding.ASCII.GetBytes(name, key);
        Tree? tree = transaction.TryOpenTree(TreeName);
        return tree is not null && tree.TryGet(key, out NativeSlice value) ? value.Span.ToArray() : null;
    }

    /// <summary>All settings of a database.</summary>
    internal static DatabaseSettings Load(Transaction transaction)
    {
        DatabaseSettings settings = DatabaseSettings.None;
        foreach (string name in (string[])[
            Revisions, Expiration, Refresh, ClientConfiguration, SchemaValidation, DataArchival, RevisionsBin,
            TimeSeries])
        {
            if (Read(transaction, name) is { } json)
            {
                settings = With(settings, name, json);
            }
        }

        return Read(transaction, UniqueConstraints) is { } unique
            ? settings with { Unique = UniqueStates.Load(transaction, unique) }
            : settings;
    }

    /// <summary>Checks a setting that a client sends more strictly than a stored one: older builds accepted
    /// ambiguous ones.</summary>
    /// <exception cref="FormatException">The setting is not valid.</exception>
    public static void Check(string name, ReadOnlySpan<byte> json)
    {
        With(DatabaseSettings.None, name, json);
        if (name == Revisions)
        {
            using JsonDocument document = StoredJson.Parse(json);
            RevisionsConfiguration.CheckNames(document.RootElement);
        }
        else if (name == ClientConfiguration)
        {
            using JsonDocument document = StoredJson.Parse(json);
            Settings.ClientConfiguration.CheckNew(document.RootElement);
        }
    }

    /// <summary>A setting in the form in which it is stored: as it was sent, or complete.</summary>
    /// <exception cref="FormatException">The setting is not valid.</exception>
    internal static byte[] Complete(string name, byte[] json) =>
        name == TimeSeries ? TimeSeriesConfigurationJson.Write(ParseTimeSeries(json)) : json;

    /// <summary>The configuration of time series.</summary>
    internal static TimeSeriesConfiguration ParseTimeSeries(byte[] json)
    {
        using JsonDocument document = StoredJson.Parse(json);
        return TimeSeriesConfigurationJson.Parse(document.RootElement);
    }

    /// <summary>One policy of time series.</summary>
    internal static TimeSeriesPolicy ParsePolicy(byte[] json)
    {
        using JsonDocument document = StoredJson.Parse(json);
        return TimeSeriesConfigurationJson.ParsePolicy(document.RootElement, "The policy");
    }

    /// <summary>The names of the values of one series, and whether they may replace others.</summary>
    internal static (TimeSeriesNames Names, bool IsUpdate) ParseNames(byte[] json)
    {
        using JsonDocument document = StoredJson.Parse(json);
        JsonElement root = document.RootElement;
        string collection = SettingsJson.Text(root, "Collection");
        string series = SettingsJson.Text(root, "TimeSeries");
        root.TryGetProperty("ValueNames", out JsonElement values);
        return (TimeSeriesConfigurationJson.ParseNames(collection, series, values), SettingsJson.Bool(root, "Update"));
    }

    /// <summary>Settings with one of them replaced.</summary>
    /// <exception cref="FormatException">The setting is not valid.</exception>
    internal static DatabaseSettings With(DatabaseSettings settings, string name, ReadOnlySpan<byte> json)
    {
        using JsonDocument document = StoredJson.Parse(json);
        return name switch
        {
            Revisions => settings with { Revisions = RevisionsConfiguration.Parse(document.RootElement) },
            Expiration => settings with
            {
                Expiration = SweepConfiguration.Parse(document.RootElement, "DeleteFrequencyInSec"),
            },
            RevisionsForConflicts => RevisionsConfiguration.CheckOne(document.RootElement, settings),
            ClientConfiguration => settings with
            {
                Client = Settings.ClientConfiguration.Parse(document.RootElement),
            },
            DataArchival => settings with
            {
                Archival = SweepConfiguration.Parse(document.RootElement, "ArchiveFrequencyInSec"),
            },
            RevisionsBin => settings with { RevisionsBin = RevisionsBinConfiguration.Parse(document.RootElement) },
            SchemaValidation => settings with { Schemas = SchemaConfiguration.Parse(document.RootElement) },
            UniqueConstraints => UniqueConfiguration.Check(document.RootElement, settings),
            TimeSeries => settings with { TimeSeries = TimeSeriesConfigurationJson.Parse(document.RootElement) },
            _ => settings with { Refresh = SweepConfiguration.Parse(document.RootElement, "RefreshFrequencyInSec") },
        };
    }
}
