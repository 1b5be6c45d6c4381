using Raven.Documents.Settings;

namespace Raven.Documents.Commands;

/// <summary>
/// Changes a part of the configuration of time series, as it is when the change is made: two changes of different parts
/// at once are both in effect. In effect after the database has loaded its settings anew.
/// </summary>
internal sealed class TimeSeriesSettingsCommand(Func<TimeSeriesConfiguration, TimeSeriesConfiguration> change)
    : DocumentCommand
{
    /// <summary>Why the change is refused; null if it was made.</summary>
    internal FormatException? Error { get; private set; }

    private protected override void Execute(DocumentWriter writer)
    {
        Error = null;
        byte[]? stored = SettingsStore.Read(writer.Tables.Transaction, SettingsStore.TimeSeries);
        TimeSeriesConfiguration old =
            stored is null ? TimeSeriesConfiguration.None : SettingsStore.ParseTimeSeries(stored);
        try
        {
            byte[] json = TimeSeriesConfigurationJson.Write(change(old));
            writer.Tables.Transaction.OpenOrCreateTree(SettingsStore.TreeName).Put("TimeSeries"u8, json);
        }
        catch (FormatException e)
        {
            Error = e;
        }
    }
}
