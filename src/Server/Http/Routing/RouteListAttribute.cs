namespace Raven.Server.Http.Routing;

/// <summary>A static method without parameters that gives many routes with their handlers.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class RouteListAttribute : Attribute;
