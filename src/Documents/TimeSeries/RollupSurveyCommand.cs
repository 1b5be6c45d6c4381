using Raven.Documents.Commands;
using Raven.Documents.Rows.Series;

namespace Raven.Documents.TimeSeries;

/// <summary>Looks at some of the time series after policies have changed (RUP-4).</summary>
internal sealed class RollupSurveyCommand : DocumentCommand
{
    /// <summary>Whether there are more.</summary>
    internal bool IsMore { get; private set; }

    private protected override void Execute(DocumentWriter writer) =>
        IsMore = writer.Settings.TimeSeries is { IsActive: true } configuration
            && RollupSurvey.Continue(
                writer.Tables.Transaction, configuration, writer.Tables, writer.Series.Rollups);
}
