using System.Runtime.CompilerServices;

namespace Raven.Storage.Paging;

/// <summary>64 bytes that the structures own: where their catalog begins. All zero in a new environment.</summary>
[InlineArray(SizeInBytes)]
internal struct CatalogRecord
{
    internal const int SizeInBytes = 64;

    private byte _first;
}
