using System.Reflection;

namespace FastTests.Client;

/// <summary>An assembly of some types: that of the tests has indexes that are not to be made.</summary>
internal sealed class SomeTypes(params Type[] types) : Assembly
{
    public override Type[] GetTypes() => types;
}
