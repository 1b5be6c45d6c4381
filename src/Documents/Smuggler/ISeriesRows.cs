using Raven.Documents.Rows.Series;

namespace Raven.Documents.Smuggler;

/// <summary>Cuts a file with entries of a time series into rows, in pieces that may be cut anywhere.</summary>
internal interface ISeriesRows
{
    /// <summary>Takes bytes up to the end of a row.</summary>
    /// <param name="bytes">The next bytes.</param>
    /// <param name="consumed">How many were taken.</param>
    /// <returns>True if the row is whole; it is there until the next call.</returns>
    /// <exception cref="RefusedException">The file is not valid; the message says where.</exception>
    bool TryRead(ReadOnlySpan<byte> bytes, out int consumed);

    /// <summary>Ends the file.</summary>
    /// <returns>True if there is a last row without a line end.</returns>
    bool TryEnd();

    /// <summary>Adds the entry of the row that is there, if it is one.</summary>
    /// <exception cref="RefusedException">It is no entry; the message says where.</exception>
    void AddTo(PointList points);
}
