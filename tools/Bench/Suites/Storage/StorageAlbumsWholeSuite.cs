namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>As many albums as FreeDB has, 3.3 million: <c>Bench storage-albums</c>.</summary>
internal sealed class StorageAlbumsWholeSuite : StorageAlbumSuite
{
    public override string Name => "storage-albums";

    private protected override int Albums => 3_300_000;
}
