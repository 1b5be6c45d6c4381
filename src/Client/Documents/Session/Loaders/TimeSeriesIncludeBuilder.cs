namespace Raven.Client.Documents.Session.Loaders;

/// <summary>See <see cref="ITimeSeriesIncludeBuilder"/>.</summary>
internal sealed class TimeSeriesIncludeBuilder : ITimeSeriesIncludeBuilder
{
    internal bool HasTags { get; private set; }

    internal bool HasDocument { get; private set; }

    public ITimeSeriesIncludeBuilder IncludeTags()
    {
        HasTags = true;
        return this;
    }

    public ITimeSeriesIncludeBuilder IncludeDocument()
    {
        HasDocument = true;
        return this;
    }
}
